import { Duration } from 'aws-cdk-lib';
import { Match, Rule, type RuleProps, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  CfnEventInvokeConfig,
  CfnEventSourceMapping,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deliverEvents, type Trigger } from '../shared/app/event-functions.ts';
import { changesWithEvents } from '../shared/events/changes-with-events.ts';
import { mostWebhooks } from '../shared/events/rules/webhook.ts';
import { acceptFindings } from './accepted-findings.ts';

export type TriggerSources = {
  bucketName: string;
  streamArn: string;
  /** The key of the queues. Undefined: keys of AWS. */
  key: IKey | undefined;
  /** Undefined if Connect is not configured. */
  connectInstanceArn: string | undefined;
};

const asyncRetries = 2;
const eventAge = Duration.hours(6);
/** Retried without end, until the change leaves the stream. */
const endless = -1;
const streamBatch = 100;
/** Six times the timeout, as Lambda demands. The schedule repeats a failed run before that. */
const deliveryHidden = Duration.seconds(6 * deliverEvents.timeout);
const deliveryTries = 5;
/** Two runs for each webhook. A run that finds another one at work ends at once. */
const deliveriesAtOnce = 2 * mostWebhooks;

/** What calls the event functions, and the queue for events that they could not handle. */
export class Triggers extends Construct {
  readonly deadLetters: Queue;
  /** A message asks for deliveries to one webhook. */
  readonly deliveries: Queue;
  readonly #sources: TriggerSources;

  constructor(scope: Construct, id: string, sources: TriggerSources) {
    super(scope, id);
    this.#sources = sources;
    const encryption =
      sources.key === undefined
        ? { encryption: QueueEncryption.SQS_MANAGED }
        : { encryption: QueueEncryption.KMS, encryptionMasterKey: sources.key };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...encryption,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acceptFindings(this.deadLetters, { 'AwsSolutions-SQS3': 'This is the dead-letter queue' });
    this.deliveries = new Queue(this, 'Deliveries', {
      ...encryption,
      enforceSSL: true,
      visibilityTimeout: deliveryHidden,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: deliveryTries },
    });
  }

  /** The rights that the role of a function needs for its trigger. */
  statementsFor(trigger: Trigger): PolicyStatement[] {
    const deadLetters = new PolicyStatement({
      actions: ['sqs:SendMessage'],
      resources: [this.deadLetters.queueArn],
    });
    if (trigger.kind === 'deliveryQueue')
      return [
        new PolicyStatement({
          actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
          resources: [this.deliveries.queueArn],
        }),
      ];
    if (trigger.kind !== 'tableStream') return [deadLetters];
    return [
      deadLetters,
      new PolicyStatement({
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        resources: [this.#sources.streamArn],
      }),
      // Lambda refuses the mapping without this permission, which has no narrower resource.
      new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
    ];
  }

  connect(id: string, trigger: Trigger, target: LambdaFunction): void {
    if (trigger.kind === 'tableStream') this.#followStream(id, trigger.retries ?? endless, target);
    else if (trigger.kind === 'deliveryQueue') this.#readQueue(id, target);
    else this.#rule(id, this.#ruleProps(trigger), target);
  }

  /** One message at a time, so that a receiver that hangs delays no other webhook. */
  #readQueue(id: string, target: LambdaFunction): void {
    new CfnEventSourceMapping(this, `${id}Queue`, {
      functionName: target.functionName,
      eventSourceArn: this.deliveries.queueArn,
      batchSize: 1,
      scalingConfig: { maximumConcurrency: deliveriesAtOnce },
    });
  }

  #ruleProps(trigger: Exclude<Trigger, { kind: 'tableStream' | 'deliveryQueue' }>): RuleProps {
    const { bucketName, connectInstanceArn } = this.#sources;
    switch (trigger.kind) {
      case 'schedule':
        return { schedule: Schedule.rate(Duration.minutes(trigger.everyMinutes)) };
      case 'objectCreated':
        return {
          eventPattern: {
            source: ['aws.s3'],
            detailType: ['Object Created'],
            detail: { bucket: { name: [bucketName] }, object: { key: Match.prefix(trigger.prefix) } },
          },
        };
      case 'connectContactEvents':
        return {
          eventPattern: {
            source: ['aws.connect'],
            detailType: ['Amazon Connect Contact Event'],
            detail: { instanceArn: [connectInstanceArn] },
          },
        };
    }
  }

  /**
   * EventBridge delivers and Lambda runs. Each has its own retries, and both send failed events to
   * the same queue.
   */
  #rule(id: string, props: RuleProps, target: LambdaFunction): void {
    const rule = new Rule(this, `${id}Rule`, props);
    rule.addTarget(
      new FunctionTarget(target, {
        deadLetterQueue: this.deadLetters,
        maxEventAge: eventAge,
        retryAttempts: 24,
      }),
    );
    new CfnEventInvokeConfig(this, `${id}Retries`, {
      functionName: target.functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: asyncRetries,
      maximumEventAgeInSeconds: eventAge.toSeconds(),
      destinationConfig: { onFailure: { destination: this.deadLetters.queueArn } },
    });
  }

  #followStream(id: string, retries: number, target: LambdaFunction): void {
    const filters = changesWithEvents.map(({ change, key, texts }) =>
      FilterCriteria.filter({
        eventName: FilterRule.isEqual(change),
        dynamodb: { Keys: { [key]: { S: texts } } },
      }),
    );
    new CfnEventSourceMapping(this, `${id}Stream`, {
      functionName: target.functionName,
      eventSourceArn: this.#sources.streamArn,
      startingPosition: 'TRIM_HORIZON',
      batchSize: streamBatch,
      maximumBatchingWindowInSeconds: 1,
      bisectBatchOnFunctionError: true,
      maximumRetryAttempts: retries,
      functionResponseTypes: ['ReportBatchItemFailures'],
      filterCriteria: { filters },
      destinationConfig: { onFailure: { destination: this.deadLetters.queueArn } },
    });
  }
}
