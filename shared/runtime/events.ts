import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Using } from '../api/route.ts';
import { type FormatTime, timeIn } from '../domain/time.ts';
import { EventBus } from '../events/event-bus.ts';
import { readEnvironment, serviceSettings } from '../settings/environment.ts';
import { onFirstEvent } from './first-event.ts';

/** What the function that publishes events works with. It does not use the table. */
export type EventRuntime = { eventBus: EventBus; formatTime: FormatTime };

/** As `onLambda`, for the function that publishes events. */
export const onEventLambda = <F extends (...args: never[]) => unknown>(
  { access }: Using<'eventBus'>,
  create: (runtime: EventRuntime) => F,
): F =>
  onFirstEvent(() => {
    const env = readEnvironment(access);
    const eventBus = new EventBus(new EventBridgeClient({}), env.EVENT_BUS_NAME);
    return create({ eventBus, formatTime: timeIn(serviceSettings(env).timeZone) });
  });
