import { dataSourceExists } from '../contacts/directory.ts';
import { whileExists } from '../contacts/directory-page.ts';
import type { Agenda } from '../platform/agenda/agenda.ts';
import type { Work } from '../platform/agenda/work.ts';
import { idOnce, type RequestKey } from '../platform/requests/effects.ts';
import { notFound, ServiceError } from '../platform/rules/errors.ts';
import { isBuiltIn } from '../platform/rules/names.ts';
import { type Database, Lost, type TransactItem } from '../platform/table/database.ts';
import {
  allOf,
  type Condition,
  ifAbsent,
  onlyIf,
  prefixRange,
  setAttributes,
  type Update,
} from '../platform/table/expressions.ts';
import { type Item, keys } from '../platform/table/keys.ts';
import { type NumberedHeader, NumberedList } from '../platform/table/numbered-list.ts';
import {
  ClaimAttributes,
  type ClaimRequest,
  optimistic,
  transactNamed,
  unlessLost,
} from '../platform/table/optimistic.ts';
import { minuteMs } from '../platform/time/time.ts';
import {
  type ContactImport,
  type CutFile,
  hasEnded,
  type ImportCounts,
  type ImportFailure,
  type NewImport,
  type Reservation,
  type WrittenParts,
} from './rules/contact-import.ts';
import { noteFailure } from './troubled-imports.ts';

export const importWork = (importId: string): Work => ({ kind: 'import', id: importId });

/** `run`: the caller has the claim on the import. `busy`: another runner has it. */
export type ImportStart = { state: 'run' | 'busy' | 'done'; import: ContactImport };

type Ended = { status: 'DONE'; message: string } | ({ status: 'FAILED' } & ImportFailure);

type StoredCounts = ImportCounts & Pick<ContactImport, 'updateCount'>;

/** How long the schedule leaves a new import to its own runner. */
const graceMs = minuteMs;

const claims = new ClaimAttributes('runner', 'runUntil');

export const takenOver = () => new ServiceError('IMPORT_RUNNING', 'the import is run by another runner');

const importOfItem = ({ pk: _pk, sk: _sk, ...record }: Item) => record as unknown as ContactImport;
const keyOf = ({ dataSourceId, importId }: ContactImport) => keys.import(dataSourceId, importId);

/** Grows with each row that is read, and again with each row that is done. */
const progressOf = ({ importCount, successCount, failCount }: ImportCounts) =>
  importCount + successCount + failCount;

const ifUnreserved: Condition = { ConditionExpression: 'attribute_not_exists(reservation)' };
/** An import of several parts may have shown rows even if it has no reservation now. */
const ifNoneWritten: Condition = { ConditionExpression: 'attribute_not_exists(placed)' };
const ifNotAbandoned: Condition = { ConditionExpression: 'attribute_not_exists(abandoned)' };
/**
 * An import that updates contacts shows each update at once, from its reservation on. Where rows
 * become visible in steps, the visible ones stay after a cancel.
 */
const ifCancellable: Condition = {
  ConditionExpression:
    '#cut.#isStepwise = :true OR NOT #options.#onDuplicate = :update OR (attribute_not_exists(reservation) AND attribute_not_exists(placed))',
  ExpressionAttributeNames: {
    '#cut': 'cut',
    '#isStepwise': 'isStepwise',
    '#options': 'options',
    '#onDuplicate': 'onDuplicate',
  },
  ExpressionAttributeValues: { ':update': 'update', ':true': true },
};
const ifStatus = (...statuses: ContactImport['status'][]): Condition => ({
  ConditionExpression: `#status IN (${statuses.map((status) => `:is${status}`).join(', ')})`,
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: Object.fromEntries(statuses.map((status) => [`:is${status}`, status])),
});

/** A runner's write into the record, on the condition that it still has the claim. */
const whileClaimed = ({ runner }: ContactImport, update: Update, also: Condition = {}): Update =>
  onlyIf(update, ifStatus('RUNNING'), claims.ifOwnedBy(runner!), also);

/**
 * The list of imports, and their records: created once, claimed by one runner at a time, ended
 * once.
 */
export class ImportRecords {
  readonly #database: Database;
  readonly #agenda: Agenda;

  constructor(database: Database, agenda: Agenda) {
    this.#database = database;
    this.#agenda = agenda;
  }

  /** The id of a new import. It is the same each time the client sends the request. */
  newId(newId: () => string, requestKey?: RequestKey): Promise<string> {
    return idOnce(this.#database, requestKey, 'import#id', newId);
  }

  /**
   * @returns the existing import if the id is known already
   * @throws ServiceError notFound (data source)
   */
  async create(added: NewImport): Promise<ContactImport> {
    const { dataSourceId, importId, createTime } = added;
    const record: ContactImport = {
      importCount: 0,
      ...added,
      successCount: 0,
      failCount: 0,
      updateCount: 0,
      status: 'WAITING',
      begun: 0,
      updateTime: createTime,
      message: '',
    };
    return optimistic(async () => {
      const failed = await transactNamed<string>(this.#database, {
        ...(isBuiltIn(dataSourceId) ? {} : { dataSource: whileExists(this.#database, dataSourceId) }),
        record: this.#database.putOf({ ...keyOf(record), ...record }, ifAbsent),
        work: this.#agenda.scheduleOf(importWork(importId), createTime + graceMs, { dataSourceId }),
        ...(added.options?.dryRun ? {} : await this.#listEntry(dataSourceId, importId)),
      });
      if (failed.has('dataSource')) throw notFound('data source');
      if (failed.has('record')) return this.#existing(dataSourceId, importId);
      if (failed.size > 0) throw new Lost();
      return record;
    });
  }

  /** @returns undefined also if the data source was deleted */
  async find(dataSourceId: string, importId: string): Promise<ContactImport | undefined> {
    const [item, exists] = await Promise.all([
      this.#database.get(keys.import(dataSourceId, importId)),
      dataSourceExists(this.#database, dataSourceId),
    ]);
    return item && exists ? importOfItem(item) : undefined;
  }

  /** Ends the unfinished imports of a deleted data source. The next write of each runner fails. */
  async endAllOf(dataSourceId: string, now: number): Promise<void> {
    const message = 'the data source was deleted';
    const end = setAttributes({ status: 'FAILED', message, updateTime: now }, ['runUntil']);
    const unfinished = await this.#agenda.listed('import');
    for (const entry of unfinished.filter(({ notes }) => notes.dataSourceId === dataSourceId)) {
      const key = keys.import(dataSourceId, entry.id);
      await unlessLost(() => this.#database.update(key, onlyIf(end, ifStatus('WAITING', 'RUNNING'))));
      await this.#agenda.done(entry);
    }
  }

  /** @returns one page, newest first, and the number of all imports; dry runs are not listed */
  async page(dataSourceId: string, offset: number, limit: number) {
    const { total, ids } = await this.#list(dataSourceId).page(offset, limit);
    const items = await this.#database.batchGet(ids.map((id) => keys.import(dataSourceId, id)));
    return { total, rows: items.flatMap((item) => (item === undefined ? [] : [importOfItem(item)])) };
  }

  /** Every import, including dry runs, also of a deleted data source. */
  async all(dataSourceId: string): Promise<ContactImport[]> {
    const { pk, sk } = keys.import(dataSourceId, '');
    const items = await this.#database.queryAll(prefixRange(pk, sk));
    return items.map(importOfItem);
  }

  /** Takes the claim on an import that has not ended. @throws ServiceError notFound */
  async begin(dataSourceId: string, importId: string, request: ClaimRequest): Promise<ImportStart> {
    const { owner, until, now } = request;
    const begin = {
      UpdateExpression:
        'SET #status = :isRUNNING, runner = :runner, runUntil = :until, updateTime = :now, begun = begun + :one, beginTime = if_not_exists(beginTime, :now)',
      ExpressionAttributeValues: { ':runner': owner, ':until': until, ':now': now, ':one': 1 },
    };
    await unlessLost(() =>
      this.#database.update(
        keys.import(dataSourceId, importId),
        onlyIf(begin, ifStatus('WAITING', 'RUNNING'), claims.ifFree(request)),
      ),
    );
    const found = await this.#existing(dataSourceId, importId);
    if (hasEnded(found)) return { state: 'done', import: found };
    return { state: found.runner === owner ? 'run' : 'busy', import: found };
  }

  /**
   * Releases the claim on an import that its runner could not run, and does not count the run. An
   * import with reserved rows keeps its claim until it expires, because some of its writes may
   * still be under way.
   */
  async giveBack(claimed: ContactImport, now: number): Promise<void> {
    // The count in the record may be 0 again, because the import has made progress.
    const release = setAttributes({ runUntil: now, begun: claimed.begun - 1 });
    await unlessLost(() =>
      this.#database.update(keyOf(claimed), whileClaimed(claimed, release, ifUnreserved)),
    );
    await this.#agenda.bringForward(importWork(claimed.importId), now);
  }

  /**
   * Releases the claim on an import whose runner has no time left, between two of its steps.
   * Another runner goes on at once.
   */
  async handOn(claimed: ContactImport, now: number): Promise<void> {
    const release = whileClaimed(claimed, setAttributes({ runUntil: now, begun: 0 }));
    await unlessLost(() => this.#database.update(keyOf(claimed), release));
    // The import is due since now, so that only an import without progress looks stuck.
    const entry = await this.#agenda.find(importWork(claimed.importId));
    if (entry !== undefined) await this.#agenda.postpone(entry, now);
  }

  /**
   * The file lies in parts in the bucket.
   * @throws ServiceError conflict if the claim was lost or the import was cancelled
   */
  async setCut(claimed: ContactImport, cut: CutFile, importCount: number): Promise<ContactImport> {
    const set = whileClaimed(claimed, setAttributes({ cut, importCount, begun: 0 }), ifNotAbandoned);
    const item = await unlessLost(() => this.#database.update(keyOf(claimed), set));
    if (item === undefined) throw takenOver();
    return importOfItem(item);
  }

  /**
   * A step of the transaction after which a further part is written. The claim lasts until `until`.
   * The import has made progress, so it counts as begun for the first time. Its condition fails
   * like that of `endSteps`.
   */
  writtenStep(claimed: ContactImport, placed: WrittenParts, until: number): TransactItem {
    const { parts: _parts, blocks: _blocks, ...counts } = placed;
    const gone = claimed.cut?.isStepwise ? ['reservation'] : [];
    const set = setAttributes({ placed, ...counts, runUntil: until, begun: 0 }, gone);
    return this.#database.updateOf(keyOf(claimed), whileClaimed(claimed, set, ifNotAbandoned));
  }

  /** Shows how many rows were read and done. A resumed import lowers no number. @throws conflict */
  async showProgress(claimed: ContactImport, counts: StoredCounts): Promise<void> {
    if (progressOf(counts) <= progressOf(claimed)) return;
    const progress = whileClaimed(claimed, setAttributes(counts), ifNotAbandoned);
    const shown = await unlessLost(() => this.#database.update(keyOf(claimed), progress));
    if (shown === undefined) throw takenOver();
  }

  /** A step of the reserving transaction. Its condition fails like that of `endSteps`. */
  reserveStep(claimed: ContactImport, reservation: Reservation, counts: ImportCounts): TransactItem {
    const reserve = setAttributes({ reservation, ...counts });
    return this.#database.updateOf(keyOf(claimed), whileClaimed(claimed, reserve, ifNotAbandoned));
  }

  /**
   * The steps of a transaction that end the import. The condition of `record` fails if the claim
   * was lost, and for DONE also if the import was abandoned.
   */
  endSteps(
    claimed: ContactImport,
    ended: Ended,
    counts: StoredCounts,
    now: number,
  ): Record<string, TransactItem> {
    const end = setAttributes({ ...ended, ...counts, updateTime: now }, ['runUntil']);
    const isDone = ended.status === 'DONE';
    return {
      record: this.#database.updateOf(
        keyOf(claimed),
        whileClaimed(claimed, end, isDone ? ifNotAbandoned : {}),
      ),
      work: this.#agenda.doneOf(importWork(claimed.importId)),
      ...(isDone ? {} : { failed: noteFailure(this.#database, claimed, now) }),
    };
  }

  /**
   * From now on the import is never resumed, and no further row of it becomes visible.
   * @throws conflict if the claim was lost
   */
  async abandon(claimed: ContactImport, reason: string): Promise<void> {
    const abandon = whileClaimed(claimed, setAttributes({ abandoned: reason }));
    const abandoned = await unlessLost(() => this.#database.update(keyOf(claimed), abandon));
    if (abandoned === undefined) throw takenOver();
  }

  /**
   * Like `abandon`, without the claim. The runner of the import finds out before it shows a further
   * row.
   * @returns the record, unchanged if the import has FAILED
   * @throws ServiceError notFound, notAllowed if rows are visible and not in steps
   */
  async cancel(dataSourceId: string, importId: string, reason: string): Promise<ContactImport> {
    const cancel = onlyIf(
      setAttributes({ abandoned: reason }),
      ifStatus('WAITING', 'RUNNING'),
      ifCancellable,
    );
    const key = keys.import(dataSourceId, importId);
    const cancelled = await unlessLost(() => this.#database.update(key, cancel));
    if (cancelled !== undefined) return importOfItem(cancelled);
    const found = await this.#existing(dataSourceId, importId);
    if (found.status === 'FAILED') return found;
    throw new ServiceError('IMPORT_STATE', 'the rows of the import are visible already');
  }

  /**
   * Ends an import as FAILED. An import with reserved rows may have claimed phone numbers, so it
   * must be run to its end or abandoned.
   * @throws ServiceError notFound, conflict
   */
  async fail(dataSourceId: string, importId: string, failure: ImportFailure, now: number): Promise<void> {
    // The rows of a large file, which was cut into parts, are counted already.
    const ended = { status: 'FAILED', ...failure, importCount: 0, updateTime: now };
    const fail = setAttributes(ended, ['runUntil']);
    const failed = await optimistic(() =>
      transactNamed(this.#database, {
        record: this.#database.updateOf(
          keys.import(dataSourceId, importId),
          onlyIf(fail, ifStatus('WAITING', 'RUNNING', 'FAILED'), allOf(ifUnreserved, ifNoneWritten)),
        ),
        work: this.#agenda.doneOf(importWork(importId)),
        failed: noteFailure(this.#database, { dataSourceId, importId }, now),
      }),
    );
    if (failed.size === 0) return;
    await this.#existing(dataSourceId, importId);
    throw new ServiceError('IMPORT_RUNNING', 'the import has begun to write its rows');
  }

  #list = (dataSourceId: string) =>
    new NumberedList<NumberedHeader>(this.#database, keys.importList(dataSourceId));

  async #listEntry(dataSourceId: string, importId: string): Promise<Record<string, TransactItem>> {
    const list = this.#list(dataSourceId);
    const [count, entry] = list.entry(await list.nextNumber(), { id: importId });
    return { count: count!, entry: entry! };
  }

  async #existing(dataSourceId: string, importId: string): Promise<ContactImport> {
    const found = await this.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    return found;
  }
}
