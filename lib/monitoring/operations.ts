import { Aws } from 'aws-cdk-lib';
import type { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StackSettings } from '../settings/settings.ts';
import { addAlarms } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import type { Monitored } from './monitored.ts';

/** The dashboard, and the alarms with the topic that they are sent to. */
export class Operations extends Construct {
  readonly #dashboard: Dashboard;
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    this.#topic = this.#alarmTopic(monitored.settings);
    addAlarms(this, monitored, this.#topic);
    this.#dashboard = dashboardOf(this, monitored);
  }

  get dashboardUrl(): string {
    return `https://console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards:name=${this.#dashboard.dashboardName}`;
  }

  get alarmTopicArn(): string {
    return this.#topic.topicArn;
  }

  #alarmTopic({ stage, alarmEmails }: StackSettings): Topic {
    const topic = new Topic(this, 'Alarms', { displayName: `outbound ${stage}`, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    for (const address of alarmEmails) topic.addSubscription(new EmailSubscription(address));
    return topic;
  }
}
