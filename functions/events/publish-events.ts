import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { publishedEvents } from '../../shared/events/published-event.ts';
import { count } from '../../shared/observability/metrics.ts';
import { type EventRuntime, onEventLambda } from '../../shared/runtime/events.ts';

const secondMs = 1000;

/**
 * Publishes what the table's stream tells. Lambda sends the record that is reported, and all after it,
 * again: an event goes out at least once, and those of one task contact in their order.
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

export const handler = onEventLambda(declared.publishEvents, publishEvents);
