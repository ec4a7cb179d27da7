import { notFound, ServiceError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { Database, Item, TransactItem } from './database.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { type Key, type Kind, keys } from './keys.ts';
import { type NumberedHeader, NumberedList } from './numbered-list.ts';
import { ifAbsent, ifUnchanged, Lost, optimistic, transactNamed } from './optimistic.ts';

/** `source`: the data source of a task. The headers of 0.2 have none. */
export type Header = NumberedHeader & { name: string; source?: string };

type Named<T> = {
  kind: Kind;
  /** What a client calls it. */
  label: 'task' | 'data source';
  key: (id: string) => Key;
  headerOf: (record: T) => Header;
};

type Stored<T> = { record: T; version: number; number: number };

/** The outcome of a change: the record after it, and the writes of the same transaction. */
export type Decision<T> = { record: T; also?: readonly TransactItem[] };

/** Records with a unique name and an entry in a list. Tasks and data sources are such records. */
export class NamedRecords<T extends { id: string }> {
  readonly #database: Database;
  readonly #named: Named<T>;
  readonly #list: NumberedList<Header>;
  readonly #adding = new KeyedQueue();

  constructor(database: Database, named: Named<T>) {
    this.#database = database;
    this.#named = named;
    this.#list = new NumberedList(database, keys.list(named.kind));
  }

  /** `also` is written in the same transaction. @throws conflict when the name is taken */
  async add(record: T, also: readonly TransactItem[] = []): Promise<void> {
    const header = this.#named.headerOf(record);
    await this.#adding.run('add', () =>
      optimistic(async () => {
        const number = await this.#list.count();
        await this.#write(header, {
          guard: this.#guard(header),
          record: this.#database.putOf({ ...this.#named.key(record.id), version: 0, number, ...record }),
          ...numbered([...this.#list.entry(number, header), ...also]),
        });
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

  /** The ids that no record has. */
  async unknownAmong(ids: readonly string[]): Promise<string[]> {
    const possible = ids.filter(isId);
    const items = await this.#database.batchGet(possible.map(this.#named.key));
    const known = new Set(possible.filter((_, i) => items[i] !== undefined));
    return ids.filter((id) => !known.has(id));
  }

  /**
   * One conditional write of what `decide` answers. When another writer was faster, `decide` is asked again
   * with the newer record. `nth` counts the changes of the record, from 1. Answers the decision that was written.
   * @throws notFound; conflict when a new name is taken
   */
  async change<D extends Decision<T>>(
    id: string,
    decide: (record: T, nth: number) => D | Promise<D>,
  ): Promise<D> {
    return optimistic(async () => {
      const { record, version, number } = await this.#read(id);
      const decision = await decide(record, version + 1);
      const [before, after] = [this.#named.headerOf(record), this.#named.headerOf(decision.record)];
      const renamed = before.name !== after.name;
      const listedAnew = renamed || before.status !== after.status || before.source !== after.source;
      await this.#write(after, {
        ...(renamed && {
          guard: this.#guard(after),
          oldGuard: this.#database.deleteOf(this.#guardKey(before)),
        }),
        record: this.#database.putOf(
          { ...this.#named.key(id), version: version + 1, number, ...decision.record },
          ifUnchanged(version, 'version'),
        ),
        ...numbered([...(listedAnew ? [this.#list.revision(number, after)] : []), ...(decision.also ?? [])]),
      });
      return decision;
    });
  }

  /** One page, newest first, of the records whose header `keep` accepts, and their total. */
  async page(offset: number, limit: number, keep?: (header: Header) => boolean) {
    const { total, ids } = await this.#list.page(offset, limit, keep);
    return { total, rows: await this.findAll(ids) };
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

  async #write({ name }: Header, steps: Record<string, TransactItem>): Promise<void> {
    const failed = await transactNamed(this.#database, steps);
    if (failed.has('guard'))
      throw new ServiceError('NAME_TAKEN', `${this.#named.label} name already exists: ${name}`);
    if (failed.size > 0) throw new Lost();
  }
}

const numbered = (items: readonly TransactItem[]): Record<string, TransactItem> =>
  Object.fromEntries(items.map((item, i) => [`also${i}`, item]));

/** The record in an item that was read together with others. */
export const recordOf = <T>(item: Item): T => stored<T>(item).record;

const stored = <T>({ pk, sk, version, number, ...record }: Item): Stored<T> => ({
  record: record as T,
  version: Number(version),
  number: Number(number),
});
