import type { Agenda } from '../platform/agenda/agenda.ts';
import { quietMs, removalWork } from '../platform/agenda/work.ts';
import { type EffectRecord, once, type RequestKey } from '../platform/requests/effects.ts';
import { invalid, ServiceError } from '../platform/rules/errors.ts';
import { fuzzyFilter, isBuiltIn, matchesFuzzily } from '../platform/rules/names.ts';
import { readSetUpTime } from '../platform/table/data-format.ts';
import type { Database } from '../platform/table/database.ts';
import { additionOf, keyRange, type Update } from '../platform/table/expressions.ts';
import { type Item, type Key, keys } from '../platform/table/keys.ts';
import { type Header, NamedRecords, recordOf } from '../platform/table/named-records.ts';
import { optimistic, unlessLost } from '../platform/table/optimistic.ts';
import { zoneField } from '../platform/time/schedule.ts';
import type { Instant } from '../platform/time/time.ts';
import { Directory, queryPages, readDirectories } from './directory.ts';
import { deletePages, firstDirectoryPage } from './directory-page.ts';
import { fieldMisspelt, knownFields } from './rules/contact.ts';
import { assertUnused, type DataSource, doNotCall, type UsingTask } from './rules/data-source.ts';

/** What the deletion of a data source needs from the tasks. */
type TasksOfSources = {
  /** The tasks that use the data source and are not CLOSED. */
  using: (dataSourceId: string) => Promise<readonly UsingTask[]>;
  /** The tasks that call contacts of the data sources. */
  ofDataSources: (dataSourceIds: ReadonlySet<string>) => Promise<readonly unknown[]>;
};

export class DataSources {
  readonly #database: Database;
  readonly #records: NamedRecords<DataSource>;
  readonly #tasks: TasksOfSources;
  readonly #agenda: Agenda;

  constructor(database: Database, agenda: Agenda, tasks: TasksOfSources) {
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

  /** @returns the data source as it was added @throws conflict if the name is taken */
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

  /** @returns the ids that no data source has */
  async unknownAmong(ids: readonly string[]): Promise<string[]> {
    return this.#records.unknownAmong(ids.filter((id) => !isBuiltIn(id)));
  }

  /** @throws notFound; conflict if the new name is taken; notAllowed for a built-in data source */
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

  /** Id and name of every data source except the built-in one, newest first. */
  async all(): Promise<Pick<DataSource, 'id' | 'dataSourceName'>[]> {
    const headers = await this.#records.headers();
    return headers.map(({ id, name }) => ({ id, dataSourceName: name }));
  }

  /**
   * The contacts and other items are removed in the background, and no writer of contacts succeeds
   * any more. What CLOSED tasks show of the data source stays.
   * @throws notFound; notAllowed for a built-in data source, or while tasks use it
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

  /** @throws ServiceError invalid for another spelling of a field that the service knows */
  assertSpelling(id: string, fieldNames: readonly string[]): Promise<void> {
    return assertSpelling(this.#database, id, fieldNames);
  }

  /** Newest first. */
  async page(offset: number, limit: number, nameFilter?: string) {
    const filter = fuzzyFilter(nameFilter);
    const keep = filter === undefined ? undefined : ({ name }: Header) => matchesFuzzily(name, filter);
    return this.#records.page(offset, limit, keep);
  }
}

/** An export has a column for each name. More than 1000 columns cannot be read. */
const maxNames = 1000;
/**
 * Fields whose order is stored: the columns of one file. More do not fit in the item beside the
 * longest names.
 */
const maxOrdered = 200;

const namesOf = (item: Item | undefined) => (item?.names as Set<string> | undefined) ?? new Set<string>();

/** The names of data sources by their ids. Unknown ids are missing. */
export const readNames = async (
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const items = await database.batchGet(ids.map(keys.dataSource));
  const names = ids.flatMap((id, i): [string, string][] => {
    if (id === doNotCall.id) return [[id, doNotCall.dataSourceName]];
    return items[i] === undefined ? [] : [[id, recordOf<DataSource>(items[i]).dataSourceName]];
  });
  return new Map(names);
};

export const readFieldNames = async (database: Database, dataSourceId: string): Promise<string[]> =>
  [...namesOf(await database.get(keys.fieldNames(dataSourceId)))].sort();

/** The fields of the first imported files, in the order of their columns. */
const orderOf = (item: Item | undefined) => (item?.order as string[] | undefined) ?? [];

/**
 * All fields, in the order of the columns of the imported files. Fields from elsewhere follow: the
 * contract's own, then custom fields by name.
 */
export const readFieldOrder = async (database: Database, dataSourceId: string): Promise<string[]> => {
  const item = await database.get(keys.fieldNames(dataSourceId));
  const fields = ['phoneNumber', ...knownFields, ...[...namesOf(item)].sort()];
  const isInUse = new Set(fields);
  return [...new Set([...orderOf(item).filter((name) => isInUse.has(name)), ...fields])];
};

/** Stands in the set of a list's zones if the set is complete. In a list of 0.5 it is not. */
const areKnown = '*';
/** Stands in the set of a list's zones if some contacts have no zone. */
const withoutZone = '-';
const knownZonesOf = (item: Item | undefined) =>
  (item?.zones as Set<string> | undefined) ?? new Set<string>();

/**
 * The zones of the contacts, with an empty one for contacts without a zone. A zone stays in the set
 * when its last contact is deleted.
 * @returns undefined if no contact has a zone of its own
 */
const zonesOf = (item: Item | undefined): readonly string[] | undefined => {
  if (!namesOf(item).has(zoneField)) return undefined;
  const zones = [...knownZonesOf(item)];
  const known = zones.filter((zone) => zone !== areKnown).map((zone) => (zone === withoutZone ? '' : zone));
  return zones.includes(areKnown) && known.length > 0 ? known : [''];
};

/** The names that are new. @throws ServiceError invalid if the data source would have too many */
const freshOf = (known: ReadonlySet<string>, names: readonly string[]): string[] => {
  const fresh = names.filter((name) => !known.has(name));
  if (fresh.length > 0 && known.size + fresh.length > maxNames) {
    throw invalid(fresh[0]!, `a data source has at most ${maxNames} different custom fields`, 'TOO_MANY');
  }
  return fresh;
};

/** @throws ServiceError invalid if the data source would have too many names */
export const assertRoomForNames = async (
  database: Database,
  dataSourceId: string,
  names: readonly string[],
): Promise<void> => {
  freshOf(namesOf(await database.get(keys.fieldNames(dataSourceId))), names);
};

/**
 * What the contacts of a list have in common. `order`: the fields of a file in the order of its
 * columns. `zones`: the zones of the contacts, with an empty one for contacts without a zone.
 */
type ListFacts = { names?: readonly string[]; order?: readonly string[]; zones?: readonly string[] };

/**
 * Stores custom field names and zones, if one of them is new. Called before the contact is written,
 * so that every field of a contact has a column.
 * @throws ServiceError invalid if the data source would have too many names
 */
export const rememberFields = async (
  database: Database,
  dataSourceId: string,
  { names = [], order = [], zones = [] }: ListFacts,
): Promise<void> => {
  if (names.length + order.length + zones.length === 0) return;
  const key = keys.fieldNames(dataSourceId);
  await optimistic(async () => {
    const item = await database.get(key);
    const fresh = freshOf(namesOf(item), names);
    const known = orderOf(item);
    const added = order
      .filter((name) => !known.includes(name))
      .slice(0, Math.max(0, maxOrdered - known.length));
    const freshZones = await freshZonesOf(database, dataSourceId, item, { fresh, zones });
    if (fresh.length + added.length + freshZones.length > 0)
      await database.update(key, factsAddition(fresh, added, freshZones));
  });
};

/**
 * A contact whose zone is in a field `time_zone` would be called while its zone is closed. A data
 * source may have such a field from release 0.5 or from a file.
 * @throws ServiceError invalid for another spelling of a field that the service knows
 */
export const assertSpelling = async (
  database: Database,
  dataSourceId: string,
  names: readonly string[],
): Promise<void> => {
  const misspelt = names.filter((name) => fieldMisspelt(name) !== undefined);
  if (misspelt.length === 0) return;
  const inUse = namesOf(await database.get(keys.fieldNames(dataSourceId)));
  const name = misspelt.find((each) => !inUse.has(each));
  if (name !== undefined) throw invalid(name, `write it ${fieldMisspelt(name)}`, 'UNKNOWN');
};

/** Zones are stored from the first contact on that has one. The contacts before it have none. */
const freshZonesOf = async (
  database: Database,
  dataSourceId: string,
  item: Item | undefined,
  { fresh, zones }: { fresh: readonly string[]; zones: readonly string[] },
): Promise<string[]> => {
  const known = knownZonesOf(item);
  const named = zones.map((zone) => zone || withoutZone);
  if (known.has(areKnown)) return named.filter((zone) => !known.has(zone));
  if (!fresh.includes(zoneField)) return [];
  const [directory] = await readDirectories(database, [dataSourceId]);
  const isEmpty = directory!.total === 0;
  return [...new Set([areKnown, ...named, ...(isEmpty ? [] : [withoutZone])])];
};

const factsAddition = (
  fresh: readonly string[],
  added: readonly string[],
  zones: readonly string[],
): Update => {
  const clauses: string[] = [];
  const additions: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  if (added.length > 0) {
    clauses.push('SET #order = list_append(if_not_exists(#order, :none), :added)');
    names['#order'] = 'order';
    Object.assign(values, { ':none': [], ':added': added });
  }
  if (fresh.length > 0) {
    additions.push('#names :fresh');
    names['#names'] = 'names';
    Object.assign(values, { ':fresh': new Set(fresh), ':room': maxNames - fresh.length });
  }
  if (zones.length > 0) {
    additions.push('#zones :zones');
    names['#zones'] = 'zones';
    values[':zones'] = new Set(zones);
  }
  if (additions.length > 0) clauses.push(`ADD ${additions.join(', ')}`);
  const update = {
    UpdateExpression: clauses.join(' '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
  if (fresh.length === 0) return update;
  return { ...update, ConditionExpression: 'attribute_not_exists(#names) OR size(#names) <= :room' };
};

/**
 * What an overview of a task shows of its data source, in one read, because these items are
 * neighbours. A deleted data source has only its name; an unknown id has an empty one. `version`
 * grows with every change of the contacts.
 */
export const readDataSourceSeen = async (database: Database, id: string) => {
  const record = keys.dataSource(id);
  const fields = keys.fieldNames(id);
  const items = await database.queryAll(keyRange(record.pk, keys.directoryPrefix, record.sk));
  const found = items.find(({ sk }) => sk === record.sk || sk === keys.goneDataSource(id).sk);
  const directory = new Directory(items.filter(({ sk }) => sk.startsWith(keys.directoryPrefix)));
  const edits = items.find(({ sk }) => sk === keys.edits(id).sk)?.edits;
  return {
    name: found === undefined ? '' : recordOf<Pick<DataSource, 'dataSourceName'>>(found).dataSourceName,
    directory,
    zones: zonesOf(items.find(({ sk }) => sk === fields.sk)),
    version: directory.version + Number(edits ?? 0),
  };
};

/** Called after contacts were changed, so that readers see another version. */
export const countEdit = async (database: Database, id: string): Promise<void> => {
  await unlessLost(() => database.update(keys.edits(id), additionOf([['edits', 1]])));
};
