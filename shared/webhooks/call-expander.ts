import { callView } from '../domain/calls/call-record.ts';
import { ServiceError } from '../domain/errors.ts';
import type { FormatTime, Instant } from '../domain/time.ts';
import type { Delivery } from '../domain/webhooks/progress.ts';
import type { CallReader } from '../store/insight/index.ts';

/** Adds `data.call`, the record of the call that an event names; `null` when it is kept no longer. */
export const callExpander =
  ({ callReader, formatTime }: { callReader: CallReader; formatTime: FormatTime }) =>
  async (event: Delivery['event'], now: Instant): Promise<Delivery['event']> => {
    const { callId } = event.data;
    if (typeof callId !== 'string') return event;
    const found = await callReader.detail(callId, now).catch((error) => {
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    const call = found === undefined ? null : callView(found.call, formatTime);
    return { ...event, data: { ...event.data, call } };
  };
