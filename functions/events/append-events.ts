import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { type ListingRuntime, lambdaListing } from '../../shared/app/runtime/events.ts';
import { onFirstEvent } from '../../shared/app/runtime/first-event.ts';
import { eventsInRecord } from '../../shared/events/change-events.ts';
import { filterOf } from '../../shared/events/rules/webhook.ts';

/**
 * Lists the events of the changes in the table's stream, and asks for their deliveries to webhooks.
 * A batch that could not be listed is sent again, as long as the stream keeps it. So every event is
 * listed at least once, and the events of one item are listed in their order.
 */
export const appendEvents =
  ({ eventList, webhooks, wakes, formatTime, now }: ListingRuntime) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
    const events = Records.flatMap((record) => eventsInRecord(record, formatTime));
    if (events.length === 0) return;
    await eventList.append(events, now());
    const enabled = (await webhooks.all()).filter((webhook) => webhook.enabled);
    await wakes.wake(enabled.filter((webhook) => events.some(filterOf(webhook))).map(({ id }) => id));
  };

export const handler = onFirstEvent(() => appendEvents(lambdaListing(declared.appendEvents)));
