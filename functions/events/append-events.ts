import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { eventsInRecord } from '../../shared/events/told-events.ts';
import { type ListingRuntime, lambdaListing } from '../../shared/runtime/events.ts';
import { onFirstEvent } from '../../shared/runtime/first-event.ts';

/**
 * Lists the events of the changes in the table's stream. A batch that could not be listed is sent again, as long as the
 * stream keeps it. So every event is listed at least once, and the events of one item in their order.
 */
export const appendEvents =
  ({ eventList, formatTime, now }: ListingRuntime) =>
  ({ Records }: DynamoDBStreamEvent): Promise<void> =>
    eventList.append(
      Records.flatMap((record) => eventsInRecord(record, formatTime)),
      now(),
    );

export const handler = onFirstEvent(() => appendEvents(lambdaListing(declared.appendEvents)));
