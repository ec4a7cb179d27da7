import { setTimeout as sleep } from 'node:timers/promises';
import type { Data } from '../../client/client.ts';
import type { Result, ServiceClient } from './service-client.ts';

type Answer = Data<'reportResult'>;
type Batch = { results: Result[]; answers: Promise<(Answer | undefined)[]> };

/** The maximum of the service. */
const resultsAtMost = 100;
/** A result waits so long for others. */
const gatherMs = 50;

/** Reports the results of a moment in one request. A refused result is sent again alone: then its answer says why. */
export class ResultQueue {
  readonly #service: ServiceClient;
  #open: Batch | undefined;

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  /** @throws SimulationError, CallLost */
  async report(result: Result): Promise<Answer> {
    const { results, answers } = this.#open ?? this.#begin();
    const index = results.push(result) - 1;
    if (results.length === resultsAtMost) this.#open = undefined;
    return (await answers)[index] ?? this.#service.report(result);
  }

  #begin(): Batch {
    const results: Result[] = [];
    const answers = sleep(gatherMs).then(() => {
      if (this.#open?.results === results) this.#open = undefined;
      return this.#service.reportAll(results);
    });
    this.#open = { results, answers };
    return this.#open;
  }
}
