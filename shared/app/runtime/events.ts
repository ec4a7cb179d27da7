import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type Bus, EventBus } from '../../events/event-bus.ts';
import { EventList } from '../../events/event-list.ts';
import { queueWakes, type Wakes } from '../../events/wakes.ts';
import { Webhooks } from '../../events/webhooks.ts';
import type { Using } from '../../platform/api/route.ts';
import { readEnvironment, serviceSettings } from '../../platform/settings/settings.ts';
import type { FormatTime, Instant } from '../../platform/time/time.ts';
import { timeIn } from '../../platform/time/zones.ts';
import { openDatabase } from './lambda.ts';

/** What the function that lists events needs. */
export type ListingRuntime = {
  eventList: EventList;
  webhooks: Webhooks;
  wakes: Wakes;
  formatTime: FormatTime;
  now: () => Instant;
};

/** What the function that publishes events needs. */
export type PublishingRuntime = { bus: Bus; formatTime: FormatTime };

export const lambdaListing = ({ access }: Using<'table' | 'deliveryQueue'>): ListingRuntime => {
  const env = readEnvironment(access);
  const database = openDatabase(env.TABLE_NAME, access);
  return {
    eventList: new EventList(database),
    webhooks: new Webhooks(database),
    wakes: queueWakes(env.DELIVERY_QUEUE_URL),
    formatTime: timeIn(serviceSettings(env).timeZone),
    now: Date.now,
  };
};

export const lambdaPublishing = ({ access }: Using<'eventBus'>): PublishingRuntime => {
  const env = readEnvironment(access);
  return {
    bus: new EventBus(new EventBridgeClient({}), env.EVENT_BUS_NAME),
    formatTime: timeIn(serviceSettings(env).timeZone),
  };
};
