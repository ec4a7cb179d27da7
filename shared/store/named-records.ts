import { conflict, notFound } from '../domain/errors.ts';
import { isId } from '../domain/ids.ts';
import { type Database, type Item, type TransactItem, TransactionRefused } from './database.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { type Key, type Kind, keys } from './keys.ts';
import { Outdated, optimistic } from './retry.ts';
import { type Header, Roll } from './roll.ts';

type Named<T> = {
  kind: Kind;
  /** What a client calls it. */
  label: string;
  key: (id: string) => Key;
  headerOf: (record: T) => Header;
};

type Stored<T> = { record: T; version: number; number: number };

const nameIsFree = { ConditionExpression: 'attribute_not_exists(pk)' };
const whileUnchanged = (version: number) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

/** Records with a unique name and an entry in the roll: what tasks and data sources have in common. */
export class NamedRecords<T extends { id: string }> {
  readonly #database: Database;
  readonly #named: Named<T>;
  readonly #roll: Roll;
  readonly #adding = new KeyedQueue();

  constructor(database: Database, named: Named<T>) {
    this.#database = database;
    this.#named = named;
    this.#roll = new Roll(database, named.kind);
  }

  /** `also` lands with the record or not at all. @throws conflict when the name is taken */
  async add(record: T, also: TransactItem[] = []): Promise<void> {
    const header = this.#named.headerOf(record);
    await this.#adding.run('add', () =>
      optimistic(async () => {
        const number = await this.#roll.count();
        await this.#transact(header.name, [
          this.#guard(header),
          this.#database.putOf({ ...this.#named.key(record.id), version: 0, number, ...record }),
          ...this.#roll.entry(number, header),
          ...also,
        ]);
      }),
    );
  }

  /** @throws notFound */
  async find(id: string): Promise<T> {
    return (await this.#read(id)).record;
  }

  async exists(id: string): Promise<boolean> {
    return isId(id) && (await this.#database.get(this.#named.key(id))) !== undefined;
  }

  /**
   * One conditional write from what `change` was shown to what it answers; when another writer comes
   * between, `change` is asked again with the newer record. @throws notFound; conflict when a new name is taken
   */
  async change(
    id: string,
    change: (record: T) => T | Promise<T>,
    also: (before: T, after: T) => TransactItem[] = () => [],
  ): Promise<T> {
    return optimistic(async () => {
      const { record, version, number } = await this.#read(id);
      const changed = await change(record);
      const [before, after] = [this.#named.headerOf(record), this.#named.headerOf(changed)];
      const renamed = before.name !== after.name;
      const listedAnew = renamed || before.status !== after.status;
      await this.#transact(after.name, [
        ...(renamed ? [this.#guard(after), this.#database.deleteOf(this.#guardKey(before))] : []),
        this.#database.putOf(
          { ...this.#named.key(id), version: version + 1, number, ...changed },
          whileUnchanged(version),
        ),
        ...(listedAnew ? [this.#roll.revision(number, after)] : []),
        ...also(record, changed),
      ]);
      return changed;
    });
  }

  /** One page, newest first, of the records whose header is kept, and how many there are in all. */
  async page(offset: number, limit: number, keep?: (header: Header) => boolean) {
    const { total, ids } = await this.#roll.page(offset, limit, keep);
    const items = await this.#database.batchGet(ids.map(this.#named.key));
    return { total, rows: items.flatMap((item) => (item === undefined ? [] : [stored<T>(item).record])) };
  }

  async #read(id: string): Promise<Stored<T>> {
    const item = isId(id) ? await this.#database.get(this.#named.key(id)) : undefined;
    if (item === undefined) throw notFound(this.#named.label);
    return stored<T>(item);
  }

  #guardKey = ({ name }: Header) => keys.name(this.#named.kind, name);

  #guard = (header: Header): TransactItem =>
    this.#database.putOf({ ...this.#guardKey(header), owner: header.id }, nameIsFree);

  async #transact(name: string, items: TransactItem[]): Promise<void> {
    try {
      await this.#database.transact(items);
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const refused = error.refusals.indexOf('ConditionalCheckFailed');
      if (refused === -1) throw error;
      // Only a name guard asks that its key is free, and it always comes first.
      const guarded = items[0]?.Put?.ConditionExpression === nameIsFree.ConditionExpression;
      if (refused === 0 && guarded) throw conflict(`${this.#named.label} name already exists: ${name}`);
      throw new Outdated();
    }
  }
}

const stored = <T>({ pk, sk, version, number, ...record }: Item): Stored<T> => ({
  record: record as T,
  version: Number(version),
  number: Number(number),
});
