import { notFound, ServiceError } from '../rules/errors.ts';
import { isId } from '../rules/names.ts';
import { KeyedQueue } from './concurrency.ts';
import { type Database, Lost, type TransactItem } from './database.ts';
import { allOf, type Condition, ifAbsent, ifPresent, ifUnchanged } from './expressions.ts';
import { type Item, type Key, type Kind, keys } from './keys.ts';
import { type NumberedHeader, NumberedList } from './numbered-list.ts';
import { optimistic, transactNamed } from './optimistic.ts';

/** `source`: the data source of a task. */
export type Header = NumberedHeader & { name: string; source?: string };

type Named<T> = {
  kind: Kind;
  /** What a client calls such a record. */
  label: 'task' | 'data source';
  key: (id: string) => Key;
  headerOf: (record: T) => Header;
};

/** `uses` counts the writes of other records that name this one. */
type Stored<T> = { record: T; version: number; number: number; uses: number | undefined };

/** A write whose condition must hold, and the error that its failure means. */
export type Requirement = { step: TransactItem; error: ServiceError };

/** The outcome of a change: the record after it, and the writes of the same transaction. */
export type Decision<T> = {
  record: T;
  also?: readonly TransactItem[];
  required?: readonly Requirement[];
};

/** Records with a unique name and an entry in a list. Tasks and data sources are such records. */
export class NamedRecords<T extends { id: string }> {
  readonly #database: Database;
  readonly #named: Named<T>;
  readonly #list: NumberedList<Header>;
  /** Additions and removals of one process take turns, because they conflict on the numbers. */
  readonly #listing = new KeyedQueue();

  constructor(database: Database, named: Named<T>) {
    this.#database = database;
    this.#named = named;
    this.#list = new NumberedList(database, keys.list(named.kind));
  }

  /**
   * Writes `also` in the same transaction.
   * @throws conflict if the name is taken; the error of a requirement
   */
  async add(
    record: T,
    also: readonly TransactItem[] = [],
    required: readonly Requirement[] = [],
  ): Promise<void> {
    const header = this.#named.headerOf(record);
    await this.#listing.run('list', () =>
      optimistic(async () => {
        const number = await this.#list.nextNumber();
        const steps = {
          guard: this.#guard(header),
          record: this.#database.putOf({ ...this.#named.key(record.id), version: 0, number, ...record }),
          ...numbered([...this.#list.entry(number, header), ...also]),
        };
        await this.#write(header, steps, required);
      }),
    );
  }

  /** @throws notFound */
  async find(id: string): Promise<T> {
    return (await this.#read(id)).record;
  }

  /** In the order of the ids. Unknown ids are skipped. */
  async findAll(ids: readonly string[]): Promise<T[]> {
    const items = await this.#database.batchGet(ids.filter(isId).map(this.#named.key));
    return items.flatMap((item) => (item === undefined ? [] : [stored<T>(item).record]));
  }

  /** @returns the ids that no record has */
  async unknownAmong(ids: readonly string[]): Promise<string[]> {
    const possible = ids.filter(isId);
    const items = await this.#database.batchGet(possible.map(this.#named.key));
    const known = new Set(possible.filter((_, i) => items[i] !== undefined));
    return ids.filter((id) => !known.has(id));
  }

  /**
   * Writes what `decide` returns, on the condition that the record has not changed. If another
   * writer was faster, `decide` is asked again with the newer record. `nth` counts the changes of
   * the record, from 1. A decision that returns the given record is no change, and only its `also`
   * is written.
   * @returns the decision that was written
   * @throws notFound; conflict if a new name is taken; the error of a requirement
   */
  async change<D extends Decision<T>>(
    id: string,
    decide: (record: T, nth: number) => D | Promise<D>,
  ): Promise<D> {
    return optimistic(async () => {
      const { record, version, number } = await this.#read(id);
      const decision = await decide(record, version + 1);
      if (decision.record === record) {
        const also = decision.also ?? [];
        if (also.length > 0) await this.#database.transact([...also]);
        return decision;
      }
      const before = this.#named.headerOf(record);
      const after = this.#named.headerOf(decision.record);
      const renamed = before.name !== after.name;
      const listedAnew = renamed || before.status !== after.status;
      const steps = {
        ...(renamed && {
          guard: this.#guard(after),
          oldGuard: this.#database.deleteOf(this.#guardKey(before)),
        }),
        record: this.#database.putOf(
          { ...this.#named.key(id), version: version + 1, number, ...decision.record },
          ifUnchanged(version, 'version'),
        ),
        ...numbered([...(listedAnew ? [this.#list.revision(number, after)] : []), ...(decision.also ?? [])]),
      };
      await this.#write(after, steps, decision.required);
      return decision;
    });
  }

  /**
   * One transaction: the record is deleted, its name is free, the list no longer has it, and the
   * items of `alsoOf` are written. If another record has come to name this one since it was read,
   * `alsoOf` is asked again.
   * @throws notFound; what `alsoOf` throws
   */
  async remove(
    id: string,
    alsoOf: (record: T) => readonly TransactItem[] | Promise<readonly TransactItem[]>,
  ): Promise<void> {
    await this.#listing.run('list', () =>
      optimistic(async () => {
        const { record, version, number, uses } = await this.#read(id);
        const also = await alsoOf(record);
        const header = this.#named.headerOf(record);
        await this.#write(header, {
          record: this.#database.deleteOf(
            this.#named.key(id),
            allOf(ifUnchanged(version, 'version'), ifUsed(uses)),
          ),
          oldGuard: this.#database.deleteOf(this.#guardKey(header)),
          ...numbered([...(await this.#list.removal(number)), ...also]),
        });
      }),
    );
  }

  /** The records whose header `keep` accepts, newest first. */
  async all(keep: (header: Header) => boolean): Promise<T[]> {
    return this.findAll((await this.#list.headers(keep)).map(({ id }) => id));
  }

  /** One page, newest first, of the records whose header `keep` accepts, and their total. */
  async page(offset: number, limit: number, keep?: (header: Header) => boolean) {
    return optimistic(async () => {
      const { total, ids } = await this.#list.page(offset, limit, keep);
      const rows = await this.findAll(ids);
      // A record of the page was removed meanwhile, so the total no longer fits.
      if (rows.length < ids.length) throw new Lost();
      return { total, rows };
    });
  }

  /** All headers, newest first. */
  headers(): Promise<Header[]> {
    return this.#list.headers(() => true);
  }

  async #read(id: string): Promise<Stored<T>> {
    const item = isId(id) ? await this.#database.get(this.#named.key(id)) : undefined;
    if (item === undefined) throw notFound(this.#named.label);
    return stored<T>(item);
  }

  #guardKey = ({ name }: Header) => keys.name(this.#named.kind, name);

  #guard = (header: Header): TransactItem =>
    this.#database.putOf({ ...this.#guardKey(header), owner: header.id }, ifAbsent);

  async #write(
    { name }: Header,
    steps: Record<string, TransactItem>,
    required: readonly Requirement[] = [],
  ): Promise<void> {
    const requirements = Object.fromEntries(required.map(({ step }, i) => [`required${i}`, step]));
    const failed = await transactNamed(this.#database, { ...steps, ...requirements });
    const unmet = required.find((_, i) => failed.has(`required${i}`));
    if (unmet) throw unmet.error;
    if (failed.has('guard'))
      throw new ServiceError('NAME_TAKEN', `${this.#named.label} name already exists: ${name}`);
    if (failed.size > 0) throw new Lost();
  }
}

const numbered = (items: readonly TransactItem[]): Record<string, TransactItem> =>
  Object.fromEntries(items.map((item, i) => [`also${i}`, item]));

/** The record in an item that was read together with others. */
export const recordOf = <T>(item: Item): T => stored<T>(item).record;

const stored = <T>({ pk, sk, version, number, uses, ...record }: Item): Stored<T> => ({
  record: record as T,
  version: Number(version),
  number: Number(number),
  uses: uses as number | undefined,
});

/**
 * A step for the transaction that writes a reference to the record under this key. The record must
 * exist, and counts the reference.
 */
export const useOf = (database: Database, key: Key): TransactItem =>
  database.updateOf(key, {
    UpdateExpression: 'ADD uses :one',
    ...ifPresent,
    ExpressionAttributeValues: { ':one': 1 },
  });

const ifUsed = (uses: number | undefined): Condition =>
  uses === undefined
    ? { ConditionExpression: 'attribute_not_exists(uses)' }
    : { ConditionExpression: 'uses = :uses', ExpressionAttributeValues: { ':uses': uses } };
