import { Aws } from 'aws-cdk-lib';
import type { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StackSettings } from '../settings/settings.ts';
import { type AlarmTopics, addAlarms } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import type { Monitored } from './monitored.ts';

/** The dashboard, and the alarms with the topics to which they are sent. */
export class Operations extends Construct {
  readonly #dashboard: Dashboard;
  readonly #topics: AlarmTopics;

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    const { stage, alarmEmails } = monitored.settings;
    this.#topics = {
      wake: this.#topic('Alarms', `outbound ${stage}`, alarmEmails),
      tomorrow: this.#topic('Tomorrow', `outbound ${stage}, tomorrow`, alarmEmails),
    };
    addAlarms(this, monitored, this.#topics);
    this.#dashboard = dashboardOf(this, monitored);
  }

  get dashboardUrl(): string {
    return `https://console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards:name=${this.#dashboard.dashboardName}`;
  }

  get alarmTopicArn(): string {
    return this.#topics.wake.topicArn;
  }

  get tomorrowTopicArn(): string {
    return this.#topics.tomorrow.topicArn;
  }

  #topic(id: string, displayName: string, emails: StackSettings['alarmEmails']): Topic {
    const topic = new Topic(this, id, { displayName, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    for (const address of emails) topic.addSubscription(new EmailSubscription(address));
    return topic;
  }
}
