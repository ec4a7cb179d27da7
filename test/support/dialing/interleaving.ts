import { setImmediate as othersRanOn } from 'node:timers/promises';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import type { OpenTable } from '../engines/engines.ts';
import { type TableCall, watchedBy } from '../engines/overtaken.ts';
import { second, start } from './dialing.ts';

/** Decisions that hang on the seed alone. */
export class Chance {
  readonly #numbers: Iterator<number>;

  constructor(seed: number) {
    const numbers = fc.infiniteStream(fc.nat(2 ** 31 - 1), { noHistory: true });
    this.#numbers = fc.sample(numbers, { seed, numRuns: 1, unbiased: true })[0]!;
  }

  /** From 0 up to but not including 1, as `Math.random`. */
  fraction = (): number => this.#numbers.next().value / 2 ** 31;

  /** A whole number from 0 up to but not including `count`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

type WaitingCall = { notBefore: number; perform: () => Promise<void> };

/** A few calls are held up for so long that their process falls far behind the others. */
const holdUp = { probability: 0.04, stepsBelow: 400 };
const clockMove = { probability: 0.03, secondsBelow: 12 };
const callsPerCheck = 20;
const callsTold = 60;
/** Of tasks and data sources: long, and different each time a seed is repeated. */
const ids = /[0-9a-hjkmnp-tv-z]{16}/g;

/**
 * Lets the database calls of many processes through one at a time, in an order that only chance
 * decides.
 */
export class Interleaving {
  readonly chance: Chance;
  now = start;
  #step = 0;
  readonly #waiting: WaitingCall[] = [];
  readonly #calls: string[] = [];

  constructor(chance: Chance) {
    this.chance = chance;
  }

  /**
   * The last calls, oldest first: the step, the process, what it asked for, and why it was refused.
   */
  get lastCalls(): string {
    return this.#calls.slice(-callsTold).join('\n').replaceAll(ids, '…');
  }

  /** Performs a call as soon as its turn has come. */
  call<T>(description: string, perform: () => Promise<T>): Promise<T> {
    const { chance } = this;
    const delay = chance.happens(holdUp.probability) ? chance.below(holdUp.stepsBelow) : 0;
    return new Promise((resolve, reject) => {
      const tell = (refusal = '') => this.#calls.push(`${this.#step} ${description}${refusal}`);
      this.#waiting.push({
        notBefore: this.#step + delay,
        perform: () =>
          perform().then(
            (answer) => {
              tell();
              resolve(answer);
            },
            (error: unknown) => {
              tell(` -> ${error}`);
              reject(error);
            },
          ),
      });
    });
  }

  /**
   * Until all processes have ended, or one has failed. Each `check` finds the table between two
   * calls.
   */
  async run(processes: readonly Promise<unknown>[], check: () => Promise<void>): Promise<void> {
    let isOver = false;
    const ended = Promise.all(processes).finally(() => {
      isOver = true;
    });
    // Awaited below; without this, a failure in the middle of a step would count as unhandled.
    ended.catch(() => {});
    for (await othersRanOn(); !isOver; await othersRanOn()) {
      if (this.#waiting.length === 0) throw new Error('a process waits for something other than the table');
      if (this.#calls.length % callsPerCheck === 0) await check();
      const chosen = this.chance.oneOf(this.#ready());
      this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
      await chosen.perform();
    }
    await ended;
  }

  /**
   * Goes on to the next step in which there are any. Meanwhile the clock goes on too, and leases
   * run out.
   */
  #ready(): WaitingCall[] {
    for (;;) {
      this.#step++;
      if (this.chance.happens(clockMove.probability))
        this.now += this.chance.below(clockMove.secondsBelow) * second;
      const ready = this.#waiting.filter(({ notBefore }) => notBefore <= this.#step);
      if (ready.length > 0) return ready;
    }
  }
}

/** The process died before this call; none of its later ones reaches the table either. */
export class Crash extends Error {}

/** How often the table refuses a write because another is just writing there, as it may on AWS. */
const conflicts = { write: 0.03, transaction: 0.08 };

/** Phone blocks are bytes, and would fill the page. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? `${part.length} bytes` : part));

const conflict = { message: 'made up by a test', $metadata: {} };

/** As AWS may refuse a write because another one is just writing there. */
const meetConflict = ({ name, written }: TableCall, chance: Chance): void => {
  if (/^(Put|Update|Delete)$/.test(name) && chance.happens(conflicts.write))
    throw new TransactionConflictException(conflict);
  if (name !== 'TransactWrite' || !chance.happens(conflicts.transaction)) return;
  const contended = chance.below(written.length);
  const CancellationReasons = written.map((_, i) => ({
    Code: i === contended ? 'TransactionConflict' : 'None',
  }));
  throw new TransactionCanceledException({ ...conflict, CancellationReasons });
};

/** The table as one process sees it: each call waits for its turn, and may meet a conflict. */
export const steppedDatabase = (table: OpenTable, interleaving: Interleaving, process: string) => {
  let callsLeft = Number.POSITIVE_INFINITY;
  const database = watchedBy(table, (call, perform) => {
    if (callsLeft-- <= 0) throw new Crash();
    return interleaving.call(`${process} ${call.name} ${textOf(call.input)}`, async () => {
      meetConflict(call, interleaving.chance);
      return perform();
    });
  });
  const crashAfter = (calls: number) => {
    callsLeft = calls;
  };
  return { database, crashAfter };
};
