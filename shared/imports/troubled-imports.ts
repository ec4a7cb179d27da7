import { doNotCall } from '../contacts/rules/data-source.ts';
import type { Agenda } from '../platform/agenda/agenda.ts';
import { isBuiltIn } from '../platform/rules/names.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import { keyRange } from '../platform/table/expressions.ts';
import { type Item, keys, timeKey } from '../platform/table/keys.ts';
import { dayMs, type Instant } from '../platform/time/time.ts';
import {
  type ContactImport,
  failedLately,
  hasEnded,
  type NamedImport,
  type NamedTrouble,
  stuck,
} from './rules/contact-import.ts';

type ImportKey = Pick<ContactImport, 'dataSourceId' | 'importId'>;

/** The maximum that is read of each. A service with more has one trouble, not many. */
const readAtMost = 100;

/** A step of the transaction that ends an import as FAILED. */
export const noteFailure = (
  database: Database,
  { dataSourceId, importId }: ImportKey,
  now: Instant,
): TransactItem =>
  database.putOf({
    ...keys.failedImport(now, importId),
    dataSourceId,
    importId,
    ttl: Math.ceil((now + dayMs) / 1000),
  });

export type CurrentImports = { troubled: NamedTrouble[]; running: NamedImport[] };

/**
 * Failed and unfinished imports of all data sources, newest first; stuck ones count as troubled.
 * The failed imports of a day are listed under one key, and the unfinished ones are on the agenda.
 * Imports of a deleted data source are skipped.
 */
export const findCurrentImports = async (
  database: Database,
  agenda: Agenda,
  now: Instant,
): Promise<CurrentImports> => {
  const lately = keyRange(keys.failedImports, timeKey(now - dayMs), '~');
  const [failed, unfinished] = await Promise.all([
    database.queryAll({ ...lately, ScanIndexForward: false, Limit: readAtMost }),
    agenda.listed('import', undefined, readAtMost),
  ]);
  const dueTimes = new Map(unfinished.map(({ id, since }) => [id, since]));
  const listed = [...failed, ...unfinished.map(({ id, notes }) => ({ ...notes, importId: id }))];
  // A failure that was written twice is listed twice.
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
  const troubled: NamedTrouble[] = [];
  const running: NamedImport[] = [];
  for (const item of found.slice(sources.length)) {
    const record = item as unknown as ContactImport | undefined;
    const dataSourceName = record && nameOf(record.dataSourceId);
    if (record === undefined || dataSourceName === undefined) continue;
    const due = dueTimes.get(record.importId) ?? now;
    const troubles = record.status === 'FAILED' ? failedLately(record, now) : stuck(record, due, now);
    troubled.push(...troubles.map((trouble) => ({ ...trouble, dataSourceName })));
    const isRunning = troubles.length === 0 && !hasEnded(record) && !record.options?.dryRun;
    if (isRunning) running.push({ found: record, dataSourceName });
  }
  return {
    troubled: troubled.sort((a, b) => b.since - a.since),
    running: running.sort((a, b) => b.found.createTime - a.found.createTime),
  };
};
