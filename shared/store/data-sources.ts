import type { DataSource } from '../domain/data-source.ts';
import { fuzzyFilter, matchesFuzzily } from '../domain/names.ts';
import { firstDirectoryPage } from './contacts/directory.ts';
import type { Database } from './database.ts';
import { keys } from './keys.ts';
import { NamedRecords } from './named-records.ts';
import type { Header } from './roll.ts';

export class DataSources {
  readonly #database: Database;
  readonly #records: NamedRecords<DataSource>;

  constructor(database: Database) {
    this.#database = database;
    this.#records = new NamedRecords(database, {
      kind: 'dataSource',
      label: 'data source',
      key: keys.dataSource,
      headerOf: ({ id, dataSourceName }) => ({ id, name: dataSourceName }),
    });
  }

  /** @throws conflict when the name is taken */
  async add(dataSource: DataSource): Promise<void> {
    await this.#records.add(dataSource, [this.#database.putOf(firstDirectoryPage(dataSource.id))]);
  }

  /** @throws notFound */
  async find(id: string): Promise<DataSource> {
    return this.#records.find(id);
  }

  async exists(id: string): Promise<boolean> {
    return this.#records.exists(id);
  }

  /** @throws notFound; conflict when the new name is taken */
  async change(id: string, change: (dataSource: DataSource) => DataSource): Promise<DataSource> {
    const { record } = await this.#records.change(id, (found) => ({ record: change(found) }));
    return record;
  }

  /** Newest first. */
  async page(offset: number, limit: number, nameFilter?: string) {
    const filter = fuzzyFilter(nameFilter);
    const keep = filter === undefined ? undefined : ({ name }: Header) => matchesFuzzily(name, filter);
    return this.#records.page(offset, limit, keep);
  }
}
