import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type FormatTime, timeIn } from '../domain/time.ts';
import { EventBus } from '../events/event-bus.ts';
import { environment, onRuntime } from './on-runtime.ts';

/** What the function that publishes events works with; apart, so that the others are bundled without it. */
export type EventRuntime = { eventBus: EventBus; formatTime: FormatTime };

const lambdaEventRuntime = (): EventRuntime => ({
  eventBus: new EventBus(new EventBridgeClient({}), environment('EVENT_BUS_NAME')),
  formatTime: timeIn(process.env.SERVICE_TIME_ZONE ?? 'UTC'),
});

/** As `onLambda`, for the function that publishes events. */
export const onEventLambda = onRuntime(lambdaEventRuntime);
