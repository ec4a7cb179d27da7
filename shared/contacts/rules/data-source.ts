import { DataSourceInUse, ServiceError } from '../../platform/rules/errors.ts';
import { doNotCallId, normaliseName } from '../../platform/rules/names.ts';
import { type FormatTime, formatOrNull, type Instant, latest } from '../../platform/time/time.ts';

export type DataSource = {
  id: string;
  dataSourceName: string;
  dataSourceDesc: string;
  createTime: Instant;
  updateTime: Instant | null;
};

/**
 * Excludes its contacts from every task. It always exists, without a stored record. The store knows
 * its create time.
 */
export const doNotCall: DataSource = {
  id: doNotCallId,
  dataSourceName: 'Do not call',
  dataSourceDesc: 'No task calls the numbers on this list',
  createTime: 0,
  updateTime: null,
};

/** Sequence numbers of contacts, from `firstSeq` to before `endSeq`. */
export type SeqRange = { firstSeq: number; endSeq: number };

/** What a data source holds when a task ends. */
export type HeldContacts = {
  contactCount: number;
  laterRanges?: readonly SeqRange[];
  /**
   * The version of the list, by which a pre-flight is recognised as outdated. Not needed if every
   * contact was looked at.
   */
  listVersion?: number;
};

type DataSourceInput = { dataSourceName: string; dataSourceDesc?: string };

/** @throws ServiceError invalid; conflict with the built-in data source, which has no name guard */
const givenName = (name: string): string => {
  const given = normaliseName('dataSourceName', name);
  if (given === doNotCall.dataSourceName)
    throw new ServiceError('NAME_TAKEN', `data source name already exists: ${given}`);
  return given;
};

export const createDataSource = (input: DataSourceInput, id: string, now: Instant): DataSource => ({
  id,
  dataSourceName: givenName(input.dataSourceName),
  dataSourceDesc: input.dataSourceDesc ?? '',
  createTime: now,
  updateTime: null,
});

export const changeDataSource = (
  dataSource: DataSource,
  changes: Partial<DataSourceInput>,
  now: Instant,
): DataSource => ({
  ...dataSource,
  dataSourceName:
    changes.dataSourceName === undefined ? dataSource.dataSourceName : givenName(changes.dataSourceName),
  dataSourceDesc: changes.dataSourceDesc ?? dataSource.dataSourceDesc,
  updateTime: now,
});

/** A task because of which a data source cannot be deleted. */
export type UsingTask = { id: string; taskName: string };

const namedAtMost = 20;

/** @throws ServiceError notAllowed, naming the tasks that are not CLOSED and use the data source */
export const assertUnused = (tasks: readonly UsingTask[]): void => {
  if (tasks.length === 0) return;
  const named = tasks.slice(0, namedAtMost);
  const names = named.map(({ taskName }) => taskName).join(', ');
  const more = tasks.length > namedAtMost ? ` and ${tasks.length - namedAtMost} more` : '';
  throw new DataSourceInUse(
    `delete is not allowed: tasks that are not CLOSED use the data source: ${names}${more}`,
    named.map(({ id }) => id),
    tasks.length,
  );
};

/** `changeTime`: when contacts were last added or deleted. */
export type ContactsSummary = { contactCount: number; changeTime: Instant | null };

export const dataSourceView = (
  dataSource: DataSource,
  { contactCount, changeTime }: ContactsSummary,
  format: FormatTime,
) => {
  const updateTime = latest([dataSource.updateTime, changeTime]);
  return {
    id: dataSource.id,
    dataSourceName: dataSource.dataSourceName,
    dataSourceDesc: dataSource.dataSourceDesc,
    contactCount,
    createTime: format(dataSource.createTime),
    updateTime: formatOrNull(updateTime, format),
  };
};
