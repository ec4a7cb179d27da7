import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Using } from '../api/route.ts';
import { type FormatTime, type Instant, timeIn } from '../domain/time.ts';
import { type Bus, EventBus } from '../events/event-bus.ts';
import { readEnvironment, serviceSettings } from '../settings/environment.ts';
import { EventList } from '../store/events/index.ts';
import { openDatabase } from './lambda.ts';

/** What the function that lists events works with. */
export type ListingRuntime = { eventList: EventList; formatTime: FormatTime; now: () => Instant };

/** What the function that publishes events works with. */
export type PublishingRuntime = { bus: Bus; formatTime: FormatTime };

export const lambdaListing = ({ access }: Using<'table'>): ListingRuntime => {
  const env = readEnvironment(access);
  return {
    eventList: new EventList(openDatabase(env.TABLE_NAME, access)),
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
