import { setTimeout as sleep } from 'node:timers/promises';
import { logFailure, maskPhones } from '../../shared/platform/observability/log.ts';

/** A file that has arrived. Its sequencer is the same each time it is delivered. */
export type Arrival = { key: string; size: number; sequencer: string };
/** `isClosing`: the handler must stop at its next step. */
export type ArrivalHandler = (arrival: Arrival, isClosing: () => boolean) => Promise<void> | void;
type Handled = () => Promise<void> | void;

/** The delay before each try. */
const delaysMs = [0, 200, 1000];

/**
 * Passes arrived files to the import in the background, one after another. If three tries fail or
 * the process ends, the schedule or the next start continues.
 */
export class Arrivals {
  readonly #handler: ArrivalHandler;
  readonly #closing = new AbortController();
  #last = Promise.resolve();

  constructor(handler: ArrivalHandler) {
    this.#handler = handler;
  }

  deliver(arrival: Arrival, onHandled: Handled = () => {}): void {
    this.#last = this.#last.then(() => this.#handle(arrival, onHandled));
  }

  async #handle(arrival: Arrival, onHandled: Handled): Promise<void> {
    const { signal } = this.#closing;
    for (const delay of delaysMs) {
      await sleep(delay, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#handler(arrival, () => signal.aborted);
        return await onHandled();
      } catch (error) {
        const key = maskPhones(arrival.key);
        logFailure('a file that arrived was not handled', error, { key });
      }
    }
  }

  /** Waits for the handler that is running. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }
}
