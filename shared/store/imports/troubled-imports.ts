import { doNotCall, isBuiltIn } from '../../domain/contacts/data-source.ts';
import type { ContactImport } from '../../domain/imports/contact-import.ts';
import { failedLately, type NamedTrouble, stuck } from '../../domain/imports/import-trouble.ts';
import { dayMs, type Instant } from '../../domain/time.ts';
import type { Agenda } from '../agenda/index.ts';
import type { Database, Item, TransactItem } from '../table/index.ts';
import { keyRange, keys, timeKey } from '../table/index.ts';

type ImportKey = Pick<ContactImport, 'dataSourceId' | 'importId'>;

/** The most that are read of each: a service with more has one trouble, not many. */
const readAtMost = 100;

/** The step of a transaction that ends an import as FAILED. */
export const noteFailure = (
  database: Database,
  { dataSourceId, importId }: ImportKey,
  now: Instant,
): TransactItem =>
  database.putOf({
    ...keys.failedImport(now, importId),
    ...{ dataSourceId, importId, ttl: Math.ceil((now + dayMs) / 1000) },
  });

/**
 * Failed and stuck imports of all data sources. The failed imports of a day are listed under one key, and the
 * unfinished ones are on the agenda. Imports of a deleted data source are skipped. Newest first.
 */
export const findTroubledImports = async (
  database: Database,
  agenda: Agenda,
  now: Instant,
): Promise<NamedTrouble[]> => {
  const lately = keyRange(keys.failedImports, timeKey(now - dayMs), '~');
  const [failed, unfinished] = await Promise.all([
    database.queryAll({ ...lately, ScanIndexForward: false, Limit: readAtMost }),
    agenda.listed('import', undefined, readAtMost),
  ]);
  const dueTimes = new Map(unfinished.map(({ id, since }) => [id, since]));
  const listed = [...failed, ...unfinished.map(({ id, notes }) => ({ ...notes, importId: id }))];
  // An end that is written twice is listed twice.
  const ids = new Map(listed.map((each) => [each.importId as string, (each as Item).dataSourceId as string]));
  const sources = [...new Set(ids.values())];
  const found = await database.batchGet([
    ...sources.map(keys.dataSource),
    ...[...ids].map(([importId, dataSourceId]) => keys.import(dataSourceId, importId)),
  ]);
  const nameOf = (id: string) =>
    isBuiltIn(id)
      ? doNotCall.dataSourceName
      : (found[sources.indexOf(id)]?.dataSourceName as string | undefined);
  return found
    .slice(sources.length)
    .flatMap((item) => {
      const record = item as unknown as ContactImport | undefined;
      const dataSourceName = record && nameOf(record.dataSourceId);
      if (record === undefined || dataSourceName === undefined) return [];
      const due = dueTimes.get(record.importId) ?? now;
      const troubles = record.status === 'FAILED' ? failedLately(record, now) : stuck(record, due, now);
      return troubles.map((trouble) => ({ ...trouble, dataSourceName }));
    })
    .sort((a, b) => b.since - a.since);
};
