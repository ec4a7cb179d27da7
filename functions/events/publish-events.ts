import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { lambdaPublishing, type PublishingRuntime } from '../../shared/app/runtime/events.ts';
import { onFirstEvent } from '../../shared/app/runtime/first-event.ts';
import { eventsInRecord } from '../../shared/events/change-events.ts';
import { count } from '../../shared/platform/observability/metrics.ts';

/**
 * Publishes the events of the changes in the table's stream. Lambda repeats the record that is
 * reported as failed, and all after it. Another function lists the events, so that a bus that is
 * down delays nothing else.
 */
export const publishEvents =
  ({ bus, formatTime }: PublishingRuntime) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const found = Records.flatMap((record) =>
      eventsInRecord(record, formatTime).map((event) => ({ record, event })),
    );
    const failed = await bus.publish(found.map(({ event }) => event));
    count('EventsPublished', failed ?? found.length);
    count('EventsNotPublished', found.length - (failed ?? found.length));
    const sequence = failed === undefined ? undefined : found[failed]?.record.dynamodb?.SequenceNumber;
    return { batchItemFailures: sequence === undefined ? [] : [{ itemIdentifier: sequence }] };
  };

export const handler = onFirstEvent(() => publishEvents(lambdaPublishing(declared.publishEvents)));
