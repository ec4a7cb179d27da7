import type { Condition, Database, Item } from '../table/index.ts';
import { keys, unlessLost } from '../table/index.ts';

/** The answer to a request that may be sent again, or that it is being worked on. Times in epoch seconds and ms. */
export type KeptAnswer = {
  status: string;
  expires: number;
  /** Who works on it, until when at most, in ms. */
  owner?: string | undefined;
  until?: number | undefined;
  /** Hash of the request's body. */
  body?: string | undefined;
  answer?: string | undefined;
};

const running = 'INPROGRESS';

type Claim = Required<Omit<KeptAnswer, 'answer'>>;

const keptOf = ({ status, ttl, owner, until, body, answer }: Item): KeptAnswer =>
  ({ status, expires: ttl, owner, until, body, answer }) as KeptAnswer;

/** Nobody has it, it has expired, or whoever worked on it can no longer be alive. */
const free = (now: number, process: string | undefined): Condition => ({
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

const workedOnBy = (owner: string): Condition => ({
  ConditionExpression: '#owner = :owner AND #status = :running',
  ExpressionAttributeNames: { '#owner': 'owner', '#status': 'status' },
  ExpressionAttributeValues: { ':owner': owner, ':running': running },
});

/** What requests that may be sent again were answered, each under its id. */
export class KeptAnswers {
  readonly #database: Database;
  readonly #isSole: boolean;
  /** Begins the owner of each claim of this process. */
  readonly process: string;

  /** `isSole`: no other process can be alive, so that the claims of any other are given up. */
  constructor(database: Database, process: string, isSole = false) {
    this.#database = database;
    this.#isSole = isSole;
    this.process = process;
  }

  async find(id: string): Promise<KeptAnswer | undefined> {
    const item = await this.#database.get(keys.keptAnswer(id));
    return item && keptOf(item);
  }

  /** `undefined`: the claim stands. Otherwise what stands in its way. */
  async claim(id: string, { expires, ...claim }: Claim, now: number): Promise<KeptAnswer | undefined> {
    const item = { ...keys.keptAnswer(id), ...claim, ttl: expires };
    while (true) {
      const put = () =>
        this.#database.put(item, free(now, this.#isSole ? this.process : undefined)).then(() => true);
      if (await unlessLost(put)) return undefined;
      const found = await this.find(id);
      // One's own: the answer to the first try got lost on its way.
      if (found?.owner === claim.owner) return undefined;
      if (found !== undefined) return found;
    }
  }

  /** Keeps the answer; `undefined` one that is too large, which is made again from what the effect left. */
  async keep(id: string, { status, expires, answer }: KeptAnswer): Promise<void> {
    await this.#database.update(keys.keptAnswer(id), {
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

  /** Gives up a claim, unless its answer is kept or somebody else has it by now. */
  async giveUp(id: string, owner: string): Promise<void> {
    await unlessLost(() => this.#database.delete(keys.keptAnswer(id), workedOnBy(owner)));
  }
}
