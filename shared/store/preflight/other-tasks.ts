import type { Numbering } from '../../domain/contacts/phone-number.ts';
import type { Preflight } from '../../domain/tasks/preflight.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { type Directory, readDirectories } from '../directory/index.ts';
import { concurrently, type Database } from '../table/index.ts';
import { PhoneList, readPhones } from './phone-list.ts';
import { findShared } from './shared-phones.ts';

/** Contacts of other data sources that are read at most: 260 read units. */
const budget = 400_000;
/** What a data source costs by itself, in contacts. */
const costOfSource = 1500;
/** Data sources whose size is asked for at most. */
const maxSources = 200;
const sourcesAtOnce = 3;

type Search = {
  dataSourceId: string;
  others: readonly Task[];
  /** The phone numbers of the task's contacts. */
  numbers: PhoneList;
  /** How many of them would be called, and which, by their index. */
  callable: number;
  isCallable: (index: number) => boolean;
  /** How many of so many callable contacts match the filter, where that is estimated. */
  scaled: (count: number) => number;
};

/** The smallest data sources that the budget allows to read. */
const affordable = (sources: readonly Directory[]): Directory[] => {
  let left = budget;
  return sources
    .toSorted((a, b) => a.total - b.total)
    .filter(({ total }) => {
      left -= total + costOfSource;
      return left >= 0;
    });
};

/** The tasks that have some of the contacts that would be called: those with the most contacts first. */
export const findOtherTasks = async (
  database: Database,
  numbering: Numbering,
  { dataSourceId, others, numbers, callable, isCallable, scaled }: Search,
): Promise<Pick<Preflight, 'alsoIn' | 'alsoInComplete'>> => {
  const ids = [...new Set(others.map((task) => task.dataSourceId))].filter((id) => id !== dataSourceId);
  const known = ids.slice(0, maxSources);
  const directories = callable === 0 ? [] : await readDirectories(database, known);
  const read = new Set(affordable(directories));
  const shared = await concurrently(known, sourcesAtOnce, async (id): Promise<[string, number]> => {
    const directory = directories[known.indexOf(id)];
    if (directory === undefined || !read.has(directory) || directory.total === 0) return [id, 0];
    const { packed } = await readPhones(database, id, directory);
    let count = 0;
    findShared(numbers, new PhoneList(packed), numbering, (index) => {
      if (isCallable(index)) count++;
    });
    return [id, scaled(count)];
  });
  const countOf = new Map([[dataSourceId, callable], ...shared]);
  return {
    alsoIn: others
      .map(({ id, taskName, dataSourceId: its }) => ({ taskId: id, taskName, count: countOf.get(its) ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count),
    alsoInComplete: callable === 0 || read.size === ids.length,
  };
};
