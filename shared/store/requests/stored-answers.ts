import type { Condition, Database, Item } from '../table/index.ts';
import { keys, unlessLost } from '../table/index.ts';

/** The answer stored under a request key, or the hold of the process that works on it. */
export type StoredAnswer = {
  status: string;
  /** In epoch seconds. */
  expires: number;
  owner?: string | undefined;
  /** When the hold of the owner ends, in epoch ms. */
  until?: number | undefined;
  /** Hash of the request's body. */
  body?: string | undefined;
  answer?: string | undefined;
};

const running = 'INPROGRESS';

export type AnswerHold = Required<Omit<StoredAnswer, 'answer'>>;

const answerOfItem = ({ status, ttl, owner, until, body, answer }: Item): StoredAnswer =>
  ({ status, expires: ttl, owner, until, body, answer }) as StoredAnswer;

/** Nothing is stored, it has expired, or its hold has ended. `process`: the holds of all others have ended. */
const ifFree = (now: number, process: string | undefined): Condition => ({
  ConditionExpression: [
    'attribute_not_exists(pk)',
    '#ttl < :seconds',
    '(#status = :running AND #until < :now)',
    ...(process === undefined ? [] : ['(#status = :running AND NOT begins_with(#owner, :process))']),
  ].join(' OR '),
  ExpressionAttributeNames: {
    '#ttl': 'ttl',
    '#status': 'status',
    '#until': 'until',
    ...(process === undefined ? {} : { '#owner': 'owner' }),
  },
  ExpressionAttributeValues: {
    ':seconds': now / 1000,
    ':now': now,
    ':running': running,
    ...(process === undefined ? {} : { ':process': process }),
  },
});

const ifHeldBy = (owner: string): Condition => ({
  ConditionExpression: '#owner = :owner AND #status = :running',
  ExpressionAttributeNames: { '#owner': 'owner', '#status': 'status' },
  ExpressionAttributeValues: { ':owner': owner, ':running': running },
});

/** Answers by request key: who works on one, and what was answered. */
export class StoredAnswers {
  readonly #database: Database;
  readonly #isSole: boolean;
  /** The owner of each hold of this process begins with it. */
  readonly process: string;

  /** `isSole`: no other process works on the table, so that the holds of any other have ended. */
  constructor(database: Database, process: string, isSole = false) {
    this.#database = database;
    this.#isSole = isSole;
    this.process = process;
  }

  async find(id: string): Promise<StoredAnswer | undefined> {
    const item = await this.#database.get(keys.storedAnswer(id));
    return item && answerOfItem(item);
  }

  /** `undefined`: the caller has the hold. Otherwise the stored answer, or the hold of another owner. */
  async hold(id: string, { expires, ...hold }: AnswerHold, now: number): Promise<StoredAnswer | undefined> {
    const item = { ...keys.storedAnswer(id), ...hold, ttl: expires };
    while (true) {
      const put = () =>
        this.#database.put(item, ifFree(now, this.#isSole ? this.process : undefined)).then(() => true);
      if (await unlessLost(put)) return undefined;
      const found = await this.find(id);
      // The SDK sent this write twice, because the response to the first got lost.
      if (found?.owner === hold.owner) return undefined;
      if (found !== undefined) return found;
    }
  }

  /** Stores the answer. If it is too large (`undefined`), stores none; a repeat rebuilds it from the effect record. */
  async store(id: string, { status, expires, answer }: StoredAnswer): Promise<void> {
    await this.#database.update(keys.storedAnswer(id), {
      UpdateExpression: `SET #status = :status, #ttl = :ttl${answer === undefined ? '' : ', #answer = :answer'}`,
      ExpressionAttributeNames: {
        '#status': 'status',
        '#ttl': 'ttl',
        ...(answer === undefined ? {} : { '#answer': 'answer' }),
      },
      ExpressionAttributeValues: {
        ':status': status,
        ':ttl': expires,
        ...(answer === undefined ? {} : { ':answer': answer }),
      },
    });
  }

  /** Ends the owner's hold. Does nothing if its answer is stored or another owner has the hold. */
  async release(id: string, owner: string): Promise<void> {
    await unlessLost(() => this.#database.delete(keys.storedAnswer(id), ifHeldBy(owner)));
  }
}
