import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type FormatTime, timeIn } from '../domain/time.ts';
import { EventBus } from '../events/event-bus.ts';
import { neededSetting, serviceSettings } from '../settings/environment.ts';
import { onRuntime } from './on-runtime.ts';

/** What the function that publishes events works with; apart, so that the others are bundled without it. */
export type EventRuntime = { eventBus: EventBus; formatTime: FormatTime };

const lambdaEventRuntime = (): EventRuntime => ({
  eventBus: new EventBus(new EventBridgeClient({}), neededSetting('EVENT_BUS_NAME')),
  formatTime: timeIn(serviceSettings().timeZone),
});

/** As `onLambda`, for the function that publishes events. */
export const onEventLambda = onRuntime(lambdaEventRuntime);
