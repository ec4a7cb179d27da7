import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { Agenda, deferredOf, erasureWork, importWork, quietMs, type Work } from '../agenda/index.ts';
import type { Database, Item, Key, Migration } from '../table/index.ts';
import {
  clearedMark,
  concurrently,
  ifPresent,
  keys,
  partitionRange,
  setAttributes,
  unlessLost,
} from '../table/index.ts';
import { ServiceDays } from '../tasks/index.ts';
import { adoptLiveTasks, oldCallbacks } from './live-tasks.ts';

const itemsAtOnce = 8;
const keyOf = ({ pk, sk }: Item): Key => ({ pk, sk });

/** The entry that an item of a list of 0.3 becomes. */
type Entry = { work: Work; due: Instant; notes: Record<string, unknown> };

const movedLists: Record<string, (item: Item) => Entry> = {
  ADJUSTED: ({ sk, v }) => ({ work: deferredOf(sk), due: 0, notes: { time: v } }),
  IMPORTS: ({ sk, dataSourceId }) => ({ work: importWork(sk), due: 0, notes: { dataSourceId } }),
  ERASURES: ({ sk, contacts }) => ({ work: erasureWork(sk), due: 0, notes: { contacts } }),
  REMOVALS: ({ sk, time, dataSourceId, end }) => ({
    work: { kind: 'removal', id: sk },
    due: Number(time) + quietMs,
    notes: dataSourceId === undefined ? { end } : { dataSourceId },
  }),
};

const moveList = async (database: Database, agenda: Agenda, list: string): Promise<void> => {
  const items = await database.queryAll(partitionRange(list));
  await concurrently(items, itemsAtOnce, async (item) => {
    const { work, due, notes } = movedLists[list]!(item);
    const isMarked = item[clearedMark] !== undefined;
    if (!isMarked) await agenda.add(work, due, notes);
    // The deletion must not say that the contacts of an erasure were erased.
    if (!isMarked) await unlessLost(() => database.put({ ...keyOf(item), [clearedMark]: true }));
    await database.delete(keyOf(item));
  });
};

/** The header of a task that 0.2 wrote does not name the data source. */
const completeHeaders = async (database: Database): Promise<Item[]> => {
  const headers = (await database.queryAll(partitionRange(keys.list('task')))).filter(({ id }) => id);
  return concurrently(headers, itemsAtOnce, async (header) => {
    if (header.source !== undefined) return header;
    const task = (await database.get(keys.task(header.id as string))) as Task | undefined;
    if (task === undefined) return header;
    const source = task.dataSourceId;
    await unlessLost(() => database.update(keyOf(header), { ...setAttributes({ source }), ...ifPresent }));
    return { ...header, source };
  });
};

/** What 0.3 listed of each task. The agenda has it by now. */
const dropTaskLists = async (database: Database, headers: readonly Item[]): Promise<void> => {
  await concurrently(headers, itemsAtOnce, async ({ id, source }) => {
    const old = [
      { pk: `RUNNING#${source}`, sk: id as string },
      { pk: `PAUSED#${source}`, sk: id as string },
      oldCallbacks(id as string),
    ];
    const found = await database.batchGet(old);
    await database.deleteAll(found.flatMap((item) => (item === undefined ? [] : [keyOf(item)])));
  });
  const ends = await database.queryAll(partitionRange('ENDING'));
  await database.deleteAll([...ends.map(keyOf), { pk: 'ROSTER', sk: 'ASKED' }]);
};

/** 0.3 counted calls over time, but kept no list of the tasks that called on a day. */
const enterDays = async (database: Database, headers: readonly Item[]): Promise<void> => {
  const days = new ServiceDays(database);
  await concurrently(headers, itemsAtOnce, ({ id, name }) =>
    days.enterAll({ id: id as string, taskName: name as string }),
  );
};

/** The to-do lists of 0.3 become the agenda, and the tasks are entered on the days on which they called. */
export const from2: Migration = {
  from: 2,
  run: async (database) => {
    const agenda = new Agenda(database);
    await adoptLiveTasks(database, agenda);
    for (const list of Object.keys(movedLists)) await moveList(database, agenda, list);
    const headers = await completeHeaders(database);
    await dropTaskLists(database, headers);
    await enterDays(database, headers);
  },
};
