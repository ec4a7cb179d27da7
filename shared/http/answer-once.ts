import {
  IdempotencyConfig,
  IdempotencyItemAlreadyExistsError,
  IdempotencyItemNotFoundError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { KeptAnswer, KeptAnswers } from '../store/requests/index.ts';
import type { Envelope } from './envelope.ts';
import type { Answered } from './repeatable.ts';

/**
 * Loaded only for requests that bear a key, and deployed as a file of its own that all functions share:
 * nothing of ours may be imported here but types, or there would be two of it in one process.
 */

type Keyed = { id: string; body: string; owner: string };
type Times = { keptSeconds: number; remainingMs: number };

/** Of the 400 KB of an item; what is larger is made again from what its effect left behind. */
const longestAnswer = 300 * 1024;

type Status = ConstructorParameters<typeof IdempotencyRecord>[0]['status'];

/** Powertools' records as items of our table. */
class TableLayer extends BasePersistenceLayer {
  readonly #kept: KeptAnswers;
  readonly #request: Keyed;

  constructor(kept: KeptAnswers, request: Keyed) {
    super();
    this.#kept = kept;
    this.#request = request;
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    const { id, owner } = this.#request;
    const { expiryTimestamp, inProgressExpiryTimestamp, payloadHash } = record;
    const claim = {
      status: record.getStatus(),
      expires: expiryTimestamp as number,
      until: inProgressExpiryTimestamp as number,
      body: payloadHash as string,
      owner,
    };
    const found = await this.#claim(id, claim);
    if (found !== undefined) throw new IdempotencyItemAlreadyExistsError('', this.#recordOf(found));
  }

  /** One that may have landed without an answer is given up: nobody carries it out. */
  async #claim(id: string, claim: Parameters<KeptAnswers['claim']>[1]): Promise<KeptAnswer | undefined> {
    try {
      return await this.#kept.claim(id, claim, Date.now());
    } catch (error) {
      await this.giveUp();
      throw error;
    }
  }

  /** As far as that can be done now; at the latest the claim ends by itself. */
  async giveUp(): Promise<void> {
    await this.#kept.giveUp(this.#request.id, this.#request.owner).catch(() => {});
  }

  protected override async _getRecord(): Promise<IdempotencyRecord> {
    const found = await this.#kept.find(this.#request.id);
    if (found === undefined) throw new IdempotencyItemNotFoundError();
    return this.#recordOf(found);
  }

  protected override async _updateRecord(record: IdempotencyRecord): Promise<void> {
    await this.#kept.keep(this.#request.id, {
      status: record.getStatus(),
      expires: record.expiryTimestamp as number,
      answer: record.responseData as string | undefined,
    });
  }

  protected override async _deleteRecord(): Promise<void> {
    await this.#kept.giveUp(this.#request.id, this.#request.owner);
  }

  #recordOf({ status, expires, until, body, answer }: KeptAnswer): IdempotencyRecord {
    return new IdempotencyRecord({
      idempotencyKey: this.#request.id,
      status: status as Status,
      expiryTimestamp: expires,
      ...(until === undefined ? {} : { inProgressExpiryTimestamp: until }),
      ...(body === undefined ? {} : { payloadHash: body }),
      responseData: answer as never,
    });
  }
}

const configOf = ({ keptSeconds, remainingMs }: Times) =>
  new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    payloadValidationJmesPath: 'body',
    expiresAfterSeconds: keptSeconds,
    hashFunction: 'sha256',
    lambdaContext: { getRemainingTimeInMillis: () => remainingMs } as never,
  });

const keptText = (envelope: Envelope): string | undefined => {
  const text = JSON.stringify(envelope);
  return Buffer.byteLength(text) > longestAnswer ? undefined : text;
};

/** Carries out `answer` for the first request of an id; the others get its answer, or learn why not. */
export const answerOnce = async (
  kept: KeptAnswers,
  request: Keyed,
  times: Times,
  answer: (isDone: boolean) => Promise<Envelope>,
): Promise<Answered | 'running' | 'anotherBody'> => {
  let fresh: Envelope | undefined;
  const carryOut = async (_request: Keyed) => {
    fresh = await answer(false);
    return keptText(fresh);
  };
  const persistenceStore = new TableLayer(kept, request);
  const options = { persistenceStore, config: configOf(times) };
  try {
    const text = await makeIdempotent(carryOut, options)(request);
    if (fresh !== undefined) return { envelope: fresh, replayed: false };
    const envelope = text === undefined ? await answer(true) : (JSON.parse(text) as Envelope);
    return { envelope, replayed: true };
  } catch (error) {
    const { name, cause } = error as Error;
    if (fresh !== undefined) {
      // Done but not kept: a repetition finds what the effect left behind, and need not wait for it.
      await persistenceStore.giveUp();
      return { envelope: fresh, replayed: false };
    }
    if (name === 'IdempotencyAlreadyInProgressError' || name === 'IdempotencyInconsistentStateError') {
      return 'running';
    }
    if (name === 'IdempotencyValidationError') return 'anotherBody';
    throw name === 'IdempotencyPersistenceLayerError' ? (cause ?? error) : error;
  }
};
