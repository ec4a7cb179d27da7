import { SimulationError } from '../simulation/service-client.ts';

/**
 * Milliseconds. Long enough for a cold start and for an event. Without those a step takes well
 * under a second.
 */
const timeoutMs = 40_000;
const pauseMs = 500;

/** @throws SimulationError with both values if they differ */
export const expectEqual = (what: string, found: unknown, expected: unknown): void => {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new SimulationError(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
};

/** Asks again until there is an answer. @throws SimulationError after 40 seconds */
export const eventually = async <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new SimulationError(`${what} did not come within ${timeoutMs / 1000} seconds`);
};

/** Writes a line for each step and counts the failed ones. */
export class Steps {
  readonly #write: (line: string) => void;
  failed = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Runs a step. @throws the error of the step, after writing it */
  async run<T>(name: string, step: () => Promise<T>): Promise<T> {
    const begun = Date.now();
    try {
      const result = await step();
      this.#write(`ok    ${name} (${Date.now() - begun} ms)`);
      return result;
    } catch (error) {
      this.failed++;
      this.#write(`FAIL  ${name}: ${(error as Error).message}`);
      throw error;
    }
  }

  skip(name: string, reason: string): void {
    this.#write(`-     ${name}: skipped, ${reason}`);
  }
}
