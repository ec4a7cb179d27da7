import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Using } from '../api/route.ts';
import { type FormatTime, type Instant, timeIn } from '../domain/time.ts';
import { type Bus, EventBus } from '../events/event-bus.ts';
import { readEnvironment, serviceSettings } from '../settings/environment.ts';
import { EventList } from '../store/events/index.ts';
import { openDatabase } from './lambda.ts';

/** What the function that tells events works with. */
export type EventRuntime = { eventList: EventList; bus: Bus; formatTime: FormatTime; now: () => Instant };

export const lambdaEvents = ({ access }: Using<'table' | 'eventBus'>): EventRuntime => {
  const env = readEnvironment(access);
  return {
    eventList: new EventList(openDatabase(env.TABLE_NAME, access)),
    bus: new EventBus(new EventBridgeClient({}), env.EVENT_BUS_NAME),
    formatTime: timeIn(serviceSettings(env).timeZone),
    now: Date.now,
  };
};
