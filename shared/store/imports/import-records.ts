import { isBuiltIn } from '../../domain/contacts/data-source.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { ContactImport, ImportCounts, NewImport } from '../../domain/imports/contact-import.ts';
import { idOnce, type RequestKey } from '../requests/index.ts';
import type { Database, Item } from '../table/index.ts';
import {
  ifAbsent,
  keys,
  Lost,
  type NumberedHeader,
  NumberedList,
  optimistic,
  transactNamed,
  unlessLost,
} from '../table/index.ts';
import { givingBack, proceeding, takenOver } from './runner-holds.ts';

/** `run`: the caller runs it now. `busy`: another runner does. `done`: it has ended, well or not. */
export type Begun = { state: 'run' | 'busy' | 'done'; import: ContactImport };
/** Who wants to run an import, and for how long nobody else may. */
export type Runner = {
  runner: string;
  now: number;
  holdMs: number;
  takeOver?: boolean;
  /** Runners whose ids begin so are known to be dead. */
  heirOf?: string | undefined;
};
export type PendingImport = { dataSourceId: string; importId: string };

const importOfItem = ({ pk: _pk, sk: _sk, ...record }: Item) => record as unknown as ContactImport;

const hasEnded = ({ status }: ContactImport) => status === 'DONE' || status === 'FAILED';

/** The records of imports: who runs which, and which have not ended. */
export class ImportRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The id of an import that a client asks for, the same each time it sends the request. */
  newId(newId: () => string, requestKey?: RequestKey): Promise<string> {
    return idOnce(this.#database, requestKey, 'import#id', newId);
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
        ...(added.options?.dryRun ? {} : await this.#listed(dataSourceId, importId)),
      });
      if (failed.has('dataSource')) throw notFound('data source');
      if (failed.has('record')) return this.#existing(dataSourceId, importId);
      if (failed.size > 0) throw new Lost();
      return record;
    });
  }

  async find(dataSourceId: string, importId: string): Promise<ContactImport | undefined> {
    const item = await this.#database.get(keys.import(dataSourceId, importId));
    return item && importOfItem(item);
  }

  /** One page, newest first, and how many there are in all; trials are not among them. */
  async page(dataSourceId: string, offset: number, limit: number) {
    const { total, ids } = await this.#list(dataSourceId).page(offset, limit);
    const items = await this.#database.batchGet(ids.map((id) => keys.import(dataSourceId, id)));
    return { total, rows: items.flatMap((item) => (item === undefined ? [] : [importOfItem(item)])) };
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
   * Takes the import for `holdMs`, longer than a runner can live, so that two never run it at once.
   * `takeOver` ignores that another has it: for a process that knows the runner died. @throws notFound
   */
  async begin(dataSourceId: string, importId: string, by: Runner): Promise<Begun> {
    return optimistic(async (): Promise<Begun> => {
      const found = await this.#existing(dataSourceId, importId);
      if (hasEnded(found)) return { state: 'done', import: found };
      const isHeld = found.runUntil !== undefined && found.runUntil > by.now;
      const isInherited = by.heirOf !== undefined && found.runner?.startsWith(by.heirOf);
      if (isHeld && !by.takeOver && !isInherited) return { state: 'busy', import: found };
      const begun = {
        status: 'RUNNING' as const,
        runner: by.runner,
        runUntil: by.now + by.holdMs,
        updateTime: by.now,
        begun: found.begun + 1,
        beginTime: found.beginTime ?? by.now,
      };
      const failed = await transactNamed(this.#database, {
        record: this.#database.updateOf(keys.import(dataSourceId, importId), beginning(found, begun)),
        // Without an end of its own: an import that has begun is never forgotten.
        pointer: this.#database.putOf({ ...keys.pendingImport(importId), dataSourceId }),
      });
      if (failed.size > 0) throw new Lost();
      return { state: 'run', import: { ...found, ...begun } };
    });
  }

  /**
   * Lets others run at once what its runner could not run. One that has reserved its rows keeps its hold: some
   * of its writes may still be under way.
   */
  async giveBack(begun: ContactImport, now: number): Promise<void> {
    const key = keys.import(begun.dataSourceId, begun.importId);
    await unlessLost(() => this.#database.update(key, givingBack(begun, now)));
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

  /** Tells how many rows are done; never fewer than before, though a resumed import begins anew. */
  protected async showProgress(found: ContactImport, counts: ImportCounts): Promise<void> {
    if (counts.successCount + counts.failCount <= found.successCount + found.failCount) return;
    const key = keys.import(found.dataSourceId, found.importId);
    const shown = await unlessLost(() => this.#database.update(key, proceeding(found, counts)));
    if (shown === undefined) throw takenOver();
  }

  #list = (dataSourceId: string) =>
    new NumberedList<NumberedHeader>(this.#database, keys.importList(dataSourceId));

  async #listed(dataSourceId: string, importId: string) {
    const list = this.#list(dataSourceId);
    const [count, entry] = list.entry(await list.count(), { id: importId });
    return { count: count!, entry: entry! };
  }

  async #existing(dataSourceId: string, importId: string): Promise<ContactImport> {
    const found = await this.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    return found;
  }
}

type BegunFields = Required<
  Pick<ContactImport, 'status' | 'runner' | 'runUntil' | 'updateTime' | 'begun' | 'beginTime'>
>;

/** Only if nobody took or ended the import since it was read. */
const beginning = (
  read: ContactImport,
  { status, runner, runUntil, updateTime, begun, beginTime }: BegunFields,
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
