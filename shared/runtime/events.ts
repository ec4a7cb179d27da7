import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Using } from '../api/route.ts';
import { type FormatTime, timeIn } from '../domain/time.ts';
import { EventBus } from '../events/event-bus.ts';
import { readEnvironment, serviceSettings } from '../settings/environment.ts';

/** What the function that publishes events works with. It does not use the table. */
export type EventRuntime = { eventBus: EventBus; formatTime: FormatTime };

export const lambdaEvents = ({ access }: Using<'eventBus'>): EventRuntime => {
  const env = readEnvironment(access);
  const eventBus = new EventBus(new EventBridgeClient({}), env.EVENT_BUS_NAME);
  return { eventBus, formatTime: timeIn(serviceSettings(env).timeZone) };
};
