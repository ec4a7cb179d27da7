import type { Database } from '../table/database.ts';
import { allOf, anyOf, type Condition, ifAbsentOrExpired, setAttributes } from '../table/expressions.ts';
import { type Item, keys } from '../table/keys.ts';
import { ClaimAttributes } from '../table/optimistic.ts';

/** The answer stored under a request key, or the claim of the process that works on it. */
export type StoredAnswer = {
  /** INPROGRESS: the answer of a claim. */
  status: 'INPROGRESS' | 'COMPLETED';
  /** In epoch seconds. */
  expires: number;
  owner?: string | undefined;
  /** When the claim of the owner expires, in epoch ms. */
  until?: number | undefined;
  /** Hash of the request's body. */
  body?: string | undefined;
  answer?: string | undefined;
};

export type AnswerClaim = Omit<StoredAnswer, 'answer'> & { owner: string; until: number };

const claims = new ClaimAttributes('owner', 'until');

/** An item with an answer still has the claim under which the answer was made. */
const ifInProgress: Condition = {
  ConditionExpression: '#status = :inProgress',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':inProgress': 'INPROGRESS' },
};

const answerOfItem = ({ status, ttl, owner, until, body, answer }: Item): StoredAnswer =>
  ({ status, expires: ttl, owner, until, body, answer }) as StoredAnswer;

/** Answers by request key: which process works on one, and what was answered. */
export class StoredAnswers {
  readonly #database: Database;
  readonly #isSole: boolean;
  /** The owner of each claim of this process begins with this id. */
  readonly process: string;

  /** `isSole`: no other process works on the table, so the claims of other owners have ended. */
  constructor(database: Database, process: string, isSole = false) {
    this.#database = database;
    this.#isSole = isSole;
    this.process = process;
  }

  async find(id: string): Promise<StoredAnswer | undefined> {
    const item = await this.#database.get(keys.storedAnswer(id));
    return item && answerOfItem(item);
  }

  /**
   * Takes the claim.
   * @returns undefined if the caller has the claim; otherwise the stored answer, or the claim of
   *   another owner
   */
  async claim(id: string, claim: AnswerClaim, now: number): Promise<StoredAnswer | undefined> {
    const { expires, owner, until, ...others } = claim;
    const item = { ...keys.storedAnswer(id), ...others, ttl: expires };
    const request = { owner, until, now, dead: this.#isSole ? { doNotBeginWith: this.process } : undefined };
    const isFree = anyOf(ifAbsentOrExpired(now / 1000), allOf(ifInProgress, claims.ifFree(request)));
    while (true) {
      if (await claims.put(this.#database, item, request, isFree)) return undefined;
      const found = await this.find(id);
      if (found !== undefined) return found;
    }
  }

  /**
   * Stores the answer. One that is too large (`undefined`) is not stored, and a repeat rebuilds it
   * from the effect record.
   */
  async store(id: string, { status, expires, answer }: StoredAnswer): Promise<void> {
    await this.#database.update(keys.storedAnswer(id), setAttributes({ status, ttl: expires, answer }));
  }

  /** Ends the owner's claim, unless its answer is stored or another owner has the claim. */
  async release(id: string, owner: string): Promise<void> {
    await claims.release(this.#database, keys.storedAnswer(id), owner, ifInProgress);
  }
}
