import type { ContactImport, NewImport } from '../../domain/contact-import.ts';
import { isBuiltIn } from '../../domain/data-source.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { Database, Item } from '../database.ts';
import { keys } from '../keys.ts';
import { ifAbsent, Lost, optimistic, transactNamed } from '../optimistic.ts';

/** `run`: the caller runs it now. `busy`: another runner does. `done`: it has ended, well or not. */
export type Claim = { state: 'run' | 'busy' | 'done'; import: ContactImport };
export type Lease = { runner: string; now: number; leaseMs: number; takeOver?: boolean };
export type PendingImport = { dataSourceId: string; importId: string };

const importOfItem = ({ pk: _pk, sk: _sk, ...record }: Item) => record as unknown as ContactImport;

const hasEnded = ({ status }: ContactImport) => status === 'DONE' || status === 'FAILED';

/** The records of imports: who runs which, and which have not ended. */
export class ImportRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Answers the import that bears the id already, if there is one. `abandonTime`, in epoch seconds: after
   * it an import that never began is forgotten by the sweep. @throws ServiceError notFound (data source)
   */
  async create(added: NewImport, abandonTime?: number): Promise<ContactImport> {
    const { dataSourceId, importId, createTime } = added;
    const counts = { importCount: 0, successCount: 0, failCount: 0 };
    const record: ContactImport = {
      ...added,
      ...counts,
      status: 'WAITING',
      begun: 0,
      updateTime: createTime,
      message: '',
    };
    const pointer = { ...keys.pendingImport(importId), dataSourceId };
    return optimistic(async () => {
      const failed = await transactNamed<string>(this.#database, {
        ...(isBuiltIn(dataSourceId) ? {} : { dataSource: this.#isThere(dataSourceId) }),
        record: this.#database.putOf({ ...keys.import(dataSourceId, importId), ...record }, ifAbsent),
        pointer: this.#database.putOf(abandonTime === undefined ? pointer : { ...pointer, ttl: abandonTime }),
      });
      if (failed.has('dataSource')) throw notFound('data source');
      return failed.has('record') ? this.#existing(dataSourceId, importId) : record;
    });
  }

  async find(dataSourceId: string, importId: string): Promise<ContactImport | undefined> {
    const item = await this.#database.get(keys.import(dataSourceId, importId));
    return item && importOfItem(item);
  }

  /** Imports that have not ended. */
  async pending(): Promise<PendingImport[]> {
    const pointers = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.pendingImports },
    });
    return pointers.map(({ sk, dataSourceId }) => ({ dataSourceId: dataSourceId as string, importId: sk }));
  }

  /**
   * Takes the import for `leaseMs`, longer than a runner can live, so that two never run it at once.
   * `takeOver` ignores a live lease: for a process that knows the runner died. @throws notFound
   */
  async begin(dataSourceId: string, importId: string, lease: Lease): Promise<Claim> {
    return optimistic(async (): Promise<Claim> => {
      const found = await this.#existing(dataSourceId, importId);
      if (hasEnded(found)) return { state: 'done', import: found };
      const live = found.runUntil !== undefined && found.runUntil > lease.now;
      if (live && !lease.takeOver) return { state: 'busy', import: found };
      const claim = {
        status: 'RUNNING' as const,
        runner: lease.runner,
        runUntil: lease.now + lease.leaseMs,
        updateTime: lease.now,
        begun: found.begun + 1,
        beginTime: found.beginTime ?? lease.now,
      };
      const failed = await transactNamed(this.#database, {
        record: this.#database.updateOf(keys.import(dataSourceId, importId), claimUpdate(found, claim)),
        // Without an end of its own: an import that has begun is never forgotten.
        pointer: this.#database.putOf({ ...keys.pendingImport(importId), dataSourceId }),
      });
      if (failed.size > 0) throw new Lost();
      return { state: 'run', import: { ...found, ...claim } };
    });
  }

  /**
   * Ends an import whose file cannot be imported. One that has reserved its rows may hold phone numbers
   * and can only be run to its end. @throws ServiceError notFound, conflict
   */
  async fail(dataSourceId: string, importId: string, message: string, now: number): Promise<void> {
    await optimistic(async () => {
      const failed = await transactNamed(this.#database, {
        record: this.#database.updateOf(keys.import(dataSourceId, importId), {
          UpdateExpression: 'SET #status = :failed, #message = :message, updateTime = :now REMOVE runUntil',
          ConditionExpression:
            'attribute_exists(pk) AND #status <> :done AND attribute_not_exists(reservation)',
          ExpressionAttributeNames: { '#status': 'status', '#message': 'message' },
          ExpressionAttributeValues: {
            ':failed': 'FAILED',
            ':done': 'DONE',
            ':message': message,
            ':now': now,
          },
        }),
        pointer: this.#database.deleteOf(keys.pendingImport(importId)),
      });
      if (failed.size === 0) return;
      await this.#existing(dataSourceId, importId);
      throw conflict('the import has begun to write its rows');
    });
  }

  #isThere = (dataSourceId: string) =>
    this.#database.checkOf(keys.directoryPage(dataSourceId, 0), {
      ConditionExpression: 'attribute_exists(pk)',
    });

  async #existing(dataSourceId: string, importId: string): Promise<ContactImport> {
    const found = await this.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    return found;
  }
}

type ClaimedFields = Required<
  Pick<ContactImport, 'status' | 'runner' | 'runUntil' | 'updateTime' | 'begun' | 'beginTime'>
>;

/** Only if nobody took or ended the import since it was read. */
const claimUpdate = (
  read: ContactImport,
  { status, runner, runUntil, updateTime, begun, beginTime }: ClaimedFields,
) => ({
  UpdateExpression:
    'SET #status = :status, runner = :runner, runUntil = :until, updateTime = :now, begun = :begun, beginTime = :first',
  ConditionExpression: `#status = :read AND ${
    read.runner === undefined ? 'attribute_not_exists(runner)' : 'runner = :holder AND runUntil = :held'
  }`,
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':status': status,
    ':runner': runner,
    ':until': runUntil,
    ':now': updateTime,
    ':begun': begun,
    ':first': beginTime,
    ':read': read.status,
    ...(read.runner === undefined ? {} : { ':holder': read.runner, ':held': read.runUntil }),
  },
});
