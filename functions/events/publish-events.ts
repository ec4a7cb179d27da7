import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { secondMs } from '../../shared/domain/time.ts';
import { toldEvents } from '../../shared/events/told-events.ts';
import { count } from '../../shared/observability/metrics.ts';
import { type EventRuntime, lambdaEvents } from '../../shared/runtime/events.ts';
import { onFirstEvent } from '../../shared/runtime/first-event.ts';

/**
 * Lists the events of the changes in the table's stream, then publishes them. Lambda sends the reported record, and all
 * after it, again: an event is told at least once, and the events of one task contact in their order.
 */
export const publishEvents =
  ({ eventList, bus, formatTime, now }: EventRuntime) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const eventsIn = ({ dynamodb = {} }: DynamoDBRecord) => {
      const change = { before: dynamodb.OldImage, after: dynamodb.NewImage };
      return toldEvents(change, (dynamodb.ApproximateCreationDateTime ?? 0) * secondMs, formatTime);
    };
    const told = Records.flatMap((record) => eventsIn(record).map((event) => ({ record, event })));
    const events = told.map(({ event }) => event);
    await eventList.append(events, now());
    const failed = await bus.publish(events);
    count('EventsPublished', failed ?? told.length);
    count('EventsNotPublished', told.length - (failed ?? told.length));
    const sequence = failed === undefined ? undefined : told[failed]?.record.dynamodb?.SequenceNumber;
    return { batchItemFailures: sequence === undefined ? [] : [{ itemIdentifier: sequence }] };
  };

export const handler = onFirstEvent(() => publishEvents(lambdaEvents(declared.publishEvents)));
