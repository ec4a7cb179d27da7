import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CallRecords,
  readDataNames,
  rememberDataNames,
  type StoredCall,
} from '../../../shared/calls/call-records.ts';
import { type CallRecord, detailsOf } from '../../../shared/calls/rules/call.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import { newId, second, start } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';

/** More in each part than one query reads, or one removal deletes. */
const count = 6000;
/** A call a minute: four days and a bit. */
const endOf = (seq: number) => start + seq * 60 * second;
const lastDay = endOf(count - 1);
const seqsOf = (calls: readonly StoredCall[]) => calls.map(({ seq }) => seq);
const upTo = (length: number) => Array.from({ length }, (_, seq) => seq);
const newestFirst = upTo(count).reverse();

const callOf = (seq: number): CallRecord => ({
  ...{ taskId: 'many', dataSourceId: 'list', seq, nonce: 'abcdefghij', attempt: 1, duration: 1 },
  ...{ phoneNumber: '13800138000', callerNumber: null, outcome: seq % 1500 === 0 ? 'failed' : 'success' },
  ...{ reason: null, final: true, callbackTime: null, doNotCall: null, reportedBy: null, updateTime: null },
  startTime: endOf(seq) - second,
  endTime: endOf(seq),
  ...detailsOf({}),
  isErased: false,
});

describe('thousands of records of one task', () => {
  let table: OpenTable;
  let measure: ReturnType<typeof meter>['measure'];
  let records: CallRecords;

  beforeAll(async () => {
    table = await engines[0]!.open();
    ({ measure } = meter(table.client));
    records = new CallRecords(table.database, 0);
    for (let at = 0; at < count; at += 100)
      await table.database.transact(upTo(100).map((seq) => records.addOf(callOf(at + seq), null)));
  });
  afterAll(() => table.close());

  const scanned = async (from?: number, to?: number, kept = records) => {
    const found: StoredCall[] = [];
    for await (const batch of kept.scan('many', { from, to }, lastDay)) found.push(...batch);
    return seqsOf(found);
  };

  it('are read whole by any page size, the newest first', async () => {
    for (const pageSize of [40, 500]) {
      const found: StoredCall[] = [];
      for (let before: string | null | undefined; before !== null; ) {
        const page = await records.page(
          'many',
          { pageSize, before: before ?? undefined },
          () => true,
          lastDay,
        );
        found.push(...page.calls);
        before = page.next;
      }
      expect(seqsOf(found)).toEqual(newestFirst);
    }
  });

  it('are looked through in requests of a bounded size', async () => {
    const found: StoredCall[] = [];
    let requests = 0;
    for (let before: string | null | undefined; before !== null; requests++) {
      const { rcu } = await measure(async () => {
        const isWanted = ({ outcome }: StoredCall) => outcome === 'failed';
        const page = await records.page(
          'many',
          { pageSize: 20, before: before ?? undefined },
          isWanted,
          lastDay,
        );
        found.push(...page.calls);
        before = page.next;
      });
      expect(rcu).toBeLessThan(100);
    }
    expect(seqsOf(found)).toEqual([4500, 3000, 1500, 0]);
    expect(requests).toBe(6);
  });

  it('are exported from one time, inclusive, to another, exclusive', async () => {
    expect(await scanned()).toEqual(upTo(count));
    expect(await scanned(endOf(1000), endOf(4000))).toEqual(upTo(4000).slice(1000));
    expect(await scanned(endOf(5), endOf(5))).toEqual([]);
  });

  it('are removed when they are too old, all of them, and go on where a run stopped', async () => {
    const kept = new CallRecords(table.database, 1);
    const keptSeqs = upTo(count).slice(count - 1 - dayMs / (60 * second));
    expect(await scanned(undefined, undefined, kept)).toEqual(keptSeqs);
    expect(await scanned()).toHaveLength(count);
    let asked = 0;
    expect(await kept.removeOld('many', () => ++asked > 2, lastDay)).toBe(false);
    expect(await scanned()).not.toEqual(keptSeqs);
    expect(await kept.removeOld('many', () => false, lastDay)).toBe(true);
    expect(await scanned()).toEqual(keptSeqs);
  });
});

it.each([[[]], [['known']]])(
  'names of data are remembered once beside %j, wherever another call overtakes',
  async (known) => {
    await atEveryCall(engines[0]!, async ({ table: { database }, slow, overtake }) => {
      const taskId = newId();
      const remember = (seen: Database, names: string[]) => rememberDataNames(seen, taskId, names, undefined);
      await remember(database, known);
      overtake(() => remember(database, ['a', 'b']));
      await remember(slow, ['b', 'c']);
      await remember(database, ['a', 'b']);
      expect((await readDataNames(database, taskId)).sort()).toEqual(['a', 'b', 'c', ...known]);
    });
  },
);
