import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { secondMs } from '../../shared/domain/time.ts';
import { publishedEvents } from '../../shared/events/published-event.ts';
import { count } from '../../shared/observability/metrics.ts';
import { type EventRuntime, lambdaEvents } from '../../shared/runtime/events.ts';
import { onFirstEvent } from '../../shared/runtime/first-event.ts';

/**
 * Publishes the changes in the table's stream. Lambda sends the reported record, and all after it, again: an event is
 * published at least once, and the events of one task contact in their order.
 */
export const publishEvents =
  ({ eventBus, formatTime }: EventRuntime) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const eventsIn = ({ dynamodb = {} }: DynamoDBRecord) => {
      const change = { before: dynamodb.OldImage, after: dynamodb.NewImage };
      return publishedEvents(change, (dynamodb.ApproximateCreationDateTime ?? 0) * secondMs, formatTime);
    };
    const told = Records.flatMap((record) => eventsIn(record).map((event) => ({ record, event })));
    const failed = await eventBus.publish(told.map(({ event }) => event));
    count('EventsPublished', failed ?? told.length);
    count('EventsNotPublished', told.length - (failed ?? told.length));
    const sequence = failed === undefined ? undefined : told[failed]?.record.dynamodb?.SequenceNumber;
    return { batchItemFailures: sequence === undefined ? [] : [{ itemIdentifier: sequence }] };
  };

export const handler = onFirstEvent(() => publishEvents(lambdaEvents(declared.publishEvents)));
