import type { FormatTime } from '../shared/domain/time.ts';
import { eventSource, publishedEvents } from '../shared/events/published-event.ts';
import { describeError, log } from '../shared/observability/log.ts';
import type { OnWritten } from './dynamodb/storage.ts';

/** Writes a log line for each event that AWS would publish on EventBridge. */
export const eventLog =
  (format: FormatTime): OnWritten =>
  (changes) => {
    try {
      for (const change of changes) {
        for (const { detailType, detail } of publishedEvents(change, Date.now(), format)) {
          log.info('event', { source: eventSource, 'detail-type': detailType, detail });
        }
      }
    } catch (error) {
      log.error('event not logged', { error: describeError(error) });
    }
  };
