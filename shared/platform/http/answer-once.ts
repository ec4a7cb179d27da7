import {
  IdempotencyConfig,
  IdempotencyItemAlreadyExistsError,
  IdempotencyItemNotFoundError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { AnswerClaim, StoredAnswer, StoredAnswers } from '../requests/index.ts';
import type { Answered, Envelope } from './envelope.ts';

type Keyed = { id: string; body: string; owner: string };
type Times = { storedSeconds: number; remainingMs: number };

/** Bytes, of the 400 KB of an item. A larger answer is rebuilt from the effect record. */
const longestAnswer = 300 * 1024;

type Status = ConstructorParameters<typeof IdempotencyRecord>[0]['status'];

/** Stores Powertools' records in our table. */
class TableLayer extends BasePersistenceLayer {
  readonly #stored: StoredAnswers;
  readonly #request: Keyed;

  constructor(stored: StoredAnswers, request: Keyed) {
    super();
    this.#stored = stored;
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

  /** A claim that failed may have landed all the same. It is released, since this request ends here. */
  async #claim(id: string, claim: AnswerClaim): Promise<StoredAnswer | undefined> {
    try {
      return await this.#stored.claim(id, claim, Date.now());
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  /** A failure is ignored: the claim also expires by itself. */
  async release(): Promise<void> {
    await this.#stored.release(this.#request.id, this.#request.owner).catch(() => {});
  }

  protected override async _getRecord(): Promise<IdempotencyRecord> {
    const found = await this.#stored.find(this.#request.id);
    if (found === undefined) throw new IdempotencyItemNotFoundError();
    return this.#recordOf(found);
  }

  protected override async _updateRecord(record: IdempotencyRecord): Promise<void> {
    await this.#stored.store(this.#request.id, {
      status: record.getStatus(),
      expires: record.expiryTimestamp as number,
      answer: record.responseData as string | undefined,
    });
  }

  protected override async _deleteRecord(): Promise<void> {
    await this.#stored.release(this.#request.id, this.#request.owner);
  }

  #recordOf({ status, expires, until, body, answer }: StoredAnswer): IdempotencyRecord {
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

const configOf = ({ storedSeconds, remainingMs }: Times) =>
  new IdempotencyConfig({
    eventKeyJmesPath: 'id',
    payloadValidationJmesPath: 'body',
    expiresAfterSeconds: storedSeconds,
    hashFunction: 'sha256',
    lambdaContext: { getRemainingTimeInMillis: () => remainingMs } as never,
  });

const storableText = (envelope: Envelope): string | undefined => {
  const text = JSON.stringify(envelope);
  return Buffer.byteLength(text) > longestAnswer ? undefined : text;
};

/** Carries out `answer` for the first request of an id. The others get its answer, or the reason why there is none yet. */
export const answerOnce = async (
  stored: StoredAnswers,
  request: Keyed,
  times: Times,
  answer: (isDone: boolean) => Promise<Envelope>,
  isStored: (envelope: Envelope) => boolean,
): Promise<Answered | 'running' | 'anotherBody'> => {
  let fresh: Envelope | undefined;
  const carryOut = async (_request: Keyed) => {
    fresh = await answer(false);
    return isStored(fresh) ? storableText(fresh) : undefined;
  };
  const persistenceStore = new TableLayer(stored, request);
  const options = { persistenceStore, config: configOf(times) };
  try {
    const text = await makeIdempotent(carryOut, options)(request);
    if (fresh !== undefined) return { envelope: fresh, replayed: false };
    const envelope = text === undefined ? undefined : (JSON.parse(text) as Envelope);
    // Release 0.2 stored answers that are made anew now.
    const isValid = envelope !== undefined && isStored(envelope);
    return { envelope: isValid ? envelope : await answer(true), replayed: true };
  } catch (error) {
    const { name, cause } = error as Error;
    if (fresh !== undefined) {
      // Done, but the answer could not be stored. A repeat finds the effect record and need not wait for the claim.
      await persistenceStore.release();
      return { envelope: fresh, replayed: false };
    }
    if (name === 'IdempotencyAlreadyInProgressError' || name === 'IdempotencyInconsistentStateError') {
      return 'running';
    }
    if (name === 'IdempotencyValidationError') return 'anotherBody';
    throw name === 'IdempotencyPersistenceLayerError' ? (cause ?? error) : error;
  }
};
