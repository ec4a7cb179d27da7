import type { CallRecords, StoredCall } from '../calls/call-records.ts';
import type { ServiceDays } from '../calls/timeline.ts';
import { readFormerContacts } from '../contacts/contact-items.ts';
import { findNumber } from '../contacts/number-holders.ts';
import type { Numbering } from '../contacts/rules/phone-number.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { dayMs, type Instant } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { taskContactOf } from './dialing-items.ts';
import {
  type EndedNumberCall,
  type NumberCall,
  type NumberHistory,
  neverCalled,
  withCall,
  withResult,
} from './rules/number-limits.ts';
import { callRefs, type TaskContact } from './rules/task-contact.ts';

type Dependencies = {
  database: Database;
  tasks: Tasks;
  callRecords: CallRecords;
  days: ServiceDays;
  phones: () => Promise<Numbering>;
};

/** No limit and no rest looks back further. */
const lookBackMs = 367 * dayMs;

/** Tells the calls of one number apart. */
export const numberCallId = ({ seq, nonce }: { seq: number; nonce: string }): string =>
  `${seq.toString(36)}-${nonce}`;

/** What the records of a number say, and the calls in progress: for the time before its calls were counted. */
export class EarlierCalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The ids of the tasks that may have called before: those with calls in the last year, and those that are live now. */
  async tasksBefore(now: Instant): Promise<string[]> {
    const { tasks, days } = this.#deps;
    const ids = await tasks.allIds();
    const [oldest] = await tasks.findAll(ids.slice(-1));
    if (oldest === undefined) return [];
    const from = Math.max(oldest.createTime, now - lookBackMs);
    const [called, active] = await Promise.all([days.taskIds(from, now + 1), tasks.active()]);
    return [...new Set([...called, ...active.map(({ id }) => id)])];
  }

  /** The calls to the number that these tasks know of. */
  async of(number: string, among: readonly Task[], now: Instant): Promise<NumberHistory> {
    const { database, phones, callRecords } = this.#deps;
    const numbering = await phones();
    const spellings = numbering.spellings(number);
    const sources = [...new Set(among.map(({ dataSourceId }) => dataSourceId))];
    const [holders, former] = await Promise.all([
      findNumber(database, numbering, number, sources),
      readFormerContacts(database, spellings),
    ]);
    const asked = [...holders, ...former].flatMap(({ dataSourceId, seq }) =>
      among.filter((task) => task.dataSourceId === dataSourceId).map(({ id }) => keys.taskContact(id, seq)),
    );
    const items = await database.batchGet(asked);
    const contacts = items.flatMap((item) => (item === undefined ? [] : [taskContactOf(item)]));
    const refs = contacts.flatMap(callRefs).filter(({ endTime }) => endTime > now - lookBackMs);
    const records = await callRecords.read(refs, now);
    const isOfNumber = (record: StoredCall | undefined): record is StoredCall =>
      record !== undefined && record.phoneNumber !== null && spellings.includes(record.phoneNumber);
    const ended = records.filter(isOfNumber).map((record) => endedCallOf(record, among));
    const holds = (contact: TaskContact) =>
      holders.some((holder) => holder.dataSourceId === contact.dataSourceId && holder.seq === contact.seq);
    const leased = contacts.flatMap((contact) => leasedCallOf(contact, spellings, holds(contact)));
    const known = ended.reduce((history, call) => withResult(history, call, now), neverCalled);
    return leased.reduce((history, call) => withCall(history, call, now), known);
  }
}

/** The disposition counts as its task declares it now. */
const endedCallOf = (record: StoredCall, among: readonly Task[]): EndedNumberCall => {
  const task = among.find(({ id }) => id === record.taskId);
  const declared = task?.dispositions?.find(({ code }) => code === record.disposition);
  return {
    id: numberCallId(record),
    time: record.startTime,
    outcome: record.outcome,
    endTime: record.endTime,
    restHours: declared?.restHours,
  };
};

/** A lease without a result, live or run out, of a call that is not counted yet. `isHeld`: its contact has the number now. */
const leasedCallOf = (
  { lease, seq, results, earlier }: TaskContact,
  spellings: readonly string[],
  isHeld: boolean,
): NumberCall[] => {
  if (lease?.time === undefined || lease.isCounted) return [];
  const isOfNumber = lease.calledNumber === undefined ? isHeld : spellings.includes(lease.calledNumber);
  const isReported = [...results, ...earlier].some(({ nonce }) => nonce === lease.nonce);
  return isOfNumber && !isReported
    ? [{ id: numberCallId({ seq, nonce: lease.nonce }), time: lease.time }]
    : [];
};
