import { metricOf, type ServiceMetric } from '../api/service-metrics.ts';
import type { SentResult } from '../domain/dialing/call.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';
import type { Dialer } from '../store/dialing/index.ts';
import type { ConnectCalls } from './connect-calls.ts';
import type { ConnectInstance } from './connect-instance.ts';
import { type EndedContact, outcomeOf } from './contact-outcome.ts';

type Dependencies = {
  connect: ConnectInstance;
  calls: ConnectCalls;
  dialer: Dialer;
  now: () => Instant;
  warn: (message: string, details: Record<string, unknown>) => void;
  count: (name: ServiceMetric, value: number) => void;
};

/** Turns the end of a contact in Amazon Connect into the result of a call. */
export class ContactResults {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Whether the contact has ended. Connect's answer comes before what its event reported, and the event fills the
   * gaps: for a moment the two may differ. A contact without a call of ours is ignored.
   */
  async reportIfEnded(contactId: string, told?: EndedContact): Promise<boolean> {
    const contact = await this.#deps.connect.find(contactId);
    if (contact?.callId === undefined) return true;
    const result = outcomeOf({
      connected: contact.connected ?? told?.connected,
      disconnected: contact.disconnected ?? told?.disconnected,
      reason: contact.reason ?? told?.reason,
      answeredBy: contact.answeredBy,
    });
    if (result === undefined) return false;
    const { callId, callerNumber, recordingUrl } = contact;
    const initiated = contact.initiated ?? told?.initiated;
    // Connect's clock may be ahead of ours. A result must not be refused for that.
    const startTime = initiated && Math.min(initiated, this.#deps.now());
    await this.report({
      callId,
      startTime,
      callerNumber,
      recordingUrl,
      providerCallId: contactId,
      ...result,
    });
    return true;
  }

  /** Counts once, however often it is reported. A result that comes too late is dropped. */
  async report(result: SentResult): Promise<void> {
    const { dialer, calls, now, warn, count } = this.#deps;
    try {
      await dialer.result(result, now());
      count(metricOf[result.outcome], 1);
    } catch (error) {
      if (!(error instanceof ServiceError) || !isTooLate(error)) throw error;
      warn('result dropped', { callId: result.callId, outcome: result.outcome, reason: error.message });
    }
    await calls.end(result.callId);
  }
}

const isTooLate = ({ code }: ServiceError) => code === 'conflict' || code === 'notFound';
