import { assertUnused, type DataSource, doNotCall, isBuiltIn } from '../../domain/contacts/data-source.ts';
import { ServiceError } from '../../domain/errors.ts';
import { fuzzyFilter, matchesFuzzily } from '../../domain/names.ts';
import type { Instant } from '../../domain/time.ts';
import { type Agenda, quietMs, removalWork } from '../agenda/index.ts';
import { deletePages, firstDirectoryPage, queryPages } from '../directory/index.ts';
import { type EffectRecord, once, type RequestKey } from '../requests/index.ts';
import { type Database, type Header, type Key, keys, NamedRecords, readSetUpTime } from '../table/index.ts';
import type { Tasks } from '../tasks/index.ts';

export class DataSources {
  readonly #database: Database;
  readonly #records: NamedRecords<DataSource>;
  readonly #tasks: Tasks;
  readonly #agenda: Agenda;

  constructor(database: Database, agenda: Agenda, tasks: Tasks) {
    this.#database = database;
    this.#agenda = agenda;
    this.#tasks = tasks;
    this.#records = new NamedRecords(database, {
      kind: 'dataSource',
      label: 'data source',
      key: keys.dataSource,
      headerOf: ({ id, dataSourceName }) => ({ id, name: dataSourceName }),
    });
  }

  /** Answers the data source as it was added. @throws conflict when the name is taken */
  async add(dataSource: DataSource, requestKey?: RequestKey): Promise<DataSource> {
    return once(this.#database, requestKey, 'dataSource#add', async (effectRecord) => {
      const directory = this.#database.putOf(firstDirectoryPage(dataSource.id));
      await this.#records.add(dataSource, [directory, ...effectRecord(dataSource)]);
      return dataSource;
    });
  }

  /** @throws notFound */
  async find(id: string): Promise<DataSource> {
    if (!isBuiltIn(id)) return this.#records.find(id);
    return { ...doNotCall, createTime: await readSetUpTime(this.#database) };
  }

  /** The ids that no data source has. */
  async unknownAmong(ids: readonly string[]): Promise<string[]> {
    return this.#records.unknownAmong(ids.filter((id) => !isBuiltIn(id)));
  }

  /** @throws notFound; conflict when the new name is taken; notAllowed for a built-in data source */
  async change(
    id: string,
    change: (dataSource: DataSource) => DataSource,
    requestKey?: RequestKey,
  ): Promise<DataSource> {
    if (isBuiltIn(id)) throw new ServiceError('DATA_SOURCE_FIXED', `the data source ${id} cannot be changed`);
    const name = `dataSource#update#${id}`;
    return once(this.#database, requestKey, name, async (effectRecord: EffectRecord<DataSource>) => {
      const { record } = await this.#records.change(id, (found) => {
        const changed = change(found);
        return { record: changed, also: effectRecord(changed) };
      });
      return record;
    });
  }

  /** Id and name of every data source, newest first; without the built-in one. */
  async all(): Promise<Pick<DataSource, 'id' | 'dataSourceName'>[]> {
    const headers = await this.#records.headers();
    return headers.map(({ id, name }) => ({ id, dataSourceName: name }));
  }

  /**
   * Its contacts and its other items are removed in the background; no writer of contacts succeeds any more. What its
   * CLOSED tasks show of it stays. @throws notFound; notAllowed for a built-in data source, or while tasks use it
   */
  async remove(id: string, now: Instant, requestKey?: RequestKey): Promise<void> {
    if (isBuiltIn(id)) throw new ServiceError('DATA_SOURCE_FIXED', `the data source ${id} cannot be deleted`);
    let others: readonly Key[] = [];
    const name = `dataSource#delete#${id}`;
    await once(this.#database, requestKey, name, async (effectRecord: EffectRecord<true>) => {
      await this.#records.remove(id, async ({ dataSourceName }) => {
        assertUnused(await this.#tasks.using(id));
        const pages = deletePages(this.#database, id, await queryPages(this.#database, id));
        others = pages.others;
        const { end } = pages;
        const kept = this.#database.putOf({ ...keys.goneDataSource(id), dataSourceName, end });
        const isNamed = (await this.#tasks.ofDataSources(new Set([id]))).length > 0;
        const notes = { end, ...(isNamed && { keepsNumbers: true }) };
        const removal = this.#agenda.scheduleOf(removalWork('dataSource', id), now + quietMs, notes);
        return [...pages.steps, kept, removal, ...effectRecord(true)];
      });
      return true;
    });
    await this.#database.deleteAll(others);
  }

  /** Newest first. */
  async page(offset: number, limit: number, nameFilter?: string) {
    const filter = fuzzyFilter(nameFilter);
    const keep = filter === undefined ? undefined : ({ name }: Header) => matchesFuzzily(name, filter);
    return this.#records.page(offset, limit, keep);
  }
}
