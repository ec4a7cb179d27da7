import type { CallRecords, StoredCall } from '../calls/call-records.ts';
import type { ServiceDays } from '../calls/timeline.ts';
import { readFormerContacts, tasksInCall } from '../contacts/contact-items.ts';
import { findNumber } from '../contacts/number-holders.ts';
import type { Numbering } from '../contacts/rules/phone-number.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { dayMs, type Instant } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import { isLive, type TaskStatus } from '../tasks/rules/task-states.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { taskContactOf } from './dialing-items.ts';
import { callRefs } from './rules/contact-calls.ts';
import {
  type EndedNumberCall,
  type NumberCall,
  type NumberHistory,
  neverCalled,
  withCall,
  withResult,
} from './rules/number-limits.ts';
import type { TaskContact } from './rules/task-contact.ts';

type Dependencies = {
  database: Database;
  tasks: Tasks;
  callRecords: CallRecords;
  days: ServiceDays;
  phones: () => Promise<Numbering>;
};

/** Who may have called a number before its calls were counted. */
export type Callers = {
  /** The tasks with calls in the last year. */
  called: readonly { id: string; dataSourceId: string }[];
  /** The lists of the tasks that are RUNNING or PAUSED: their calls may be in progress. */
  sources: readonly string[];
};

/** What one item holds. */
const tasksAtMost = 5000;
/** The longest time that a limit or a rest looks back. */
const lookBackMs = 367 * dayMs;

/** Identifies a call among the calls of one number. */
export const numberCallId = ({ seq, nonce }: { seq: number; nonce: string }): string =>
  `${seq.toString(36)}-${nonce}`;

/** Calls of a number from before its calls were counted: in records, and in progress. */
export class EarlierCalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async callersBefore(now: Instant): Promise<Callers> {
    const { tasks, days } = this.#deps;
    const headers = await tasks.headers();
    const [oldest] = await tasks.findAll(headers.slice(-1).map(({ id }) => id));
    if (oldest === undefined) return { called: [], sources: [] };
    const from = Math.max(oldest.createTime, now - lookBackMs);
    const called = new Set(await days.taskIds(from, now + 1));
    const isLeasing = ({ status }: { status?: number | undefined }) => isLive(status as TaskStatus);
    return {
      called: headers.filter(({ id }) => called.has(id)).slice(0, tasksAtMost),
      sources: [
        ...new Set(headers.filter((each) => isLeasing(each)).map(({ dataSourceId }) => dataSourceId)),
      ],
    };
  }

  /** The calls to the number that these callers have made. */
  async of(number: string, { called, sources }: Callers, now: Instant): Promise<NumberHistory> {
    const { database, phones, callRecords, tasks } = this.#deps;
    const numbering = await phones();
    const spellings = numbering.spellings(number);
    const among = [...new Set([...called.map(({ dataSourceId }) => dataSourceId), ...sources])];
    const [holders, former] = await Promise.all([
      findNumber(database, numbering, number, among),
      readFormerContacts(database, spellings),
    ]);
    const all = [...holders, ...former];
    const items = await database.batchGet(
      all.map(({ dataSourceId, seq }) => keys.contact(dataSourceId, seq)),
    );
    const asked = all.flatMap(({ dataSourceId, seq }, i) => {
      const callers = called.filter((each) => each.dataSourceId === dataSourceId).map(({ id }) => id);
      const ids = [...new Set([...callers, ...(items[i] ? tasksInCall(items[i]) : [])])];
      return ids.map((id) => keys.taskContact(id, seq));
    });
    const found = await database.batchGet(asked);
    const contacts = found.flatMap((item) => (item === undefined ? [] : [taskContactOf(item)]));
    const refs = contacts.flatMap(callRefs).filter(({ endTime }) => endTime > now - lookBackMs);
    const isOfNumber = (record: StoredCall | undefined): record is StoredCall =>
      record !== undefined && record.phoneNumber !== null && spellings.includes(record.phoneNumber);
    const records = (await callRecords.read(refs, now)).filter(isOfNumber);
    const named = records.filter(({ disposition }) => disposition !== null).map(({ taskId }) => taskId);
    const declaring = await tasks.findAll([...new Set(named)]);
    const ended = records.map((record) => endedCallOf(record, declaring));
    const holds = (contact: TaskContact) =>
      holders.some((holder) => holder.dataSourceId === contact.dataSourceId && holder.seq === contact.seq);
    const leased = contacts.flatMap((contact) => leasedCallOf(contact, spellings, holds(contact)));
    const known = ended.reduce((history, call) => withResult(history, call, now), neverCalled);
    return leased.reduce((history, call) => withCall(history, call, now), known);
  }
}

/** A disposition has the meaning that its task declares now. */
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

/**
 * A call that is not counted yet: a lease without a result, whether it has expired or not.
 * `isHeld`: its contact has the number now.
 */
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
