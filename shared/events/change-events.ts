import { contactId } from '../domain/contacts/contact-id.ts';
import { callId } from '../domain/dialing/call.ts';
import {
  type CallReason,
  type Outcome,
  type OutcomeStatus,
  outcomeStatus,
} from '../domain/dialing/dialing.ts';
import type { TaskContact } from '../domain/dialing/task-contact.ts';
import type { Task } from '../domain/tasks/task.ts';
import type { TaskStatus } from '../domain/tasks/task-states.ts';
import type { Instant } from '../domain/time.ts';
import { taskContactOf } from '../store/dialing/index.ts';
import type { Item } from '../store/table/index.ts';
import { keys, seqKey } from '../store/table/index.ts';

/** An item before and after one write, as the table's stream tells it. */
export type ItemChange = { before?: Item | undefined; after?: Item | undefined };

export type TaskStateChanged = {
  /** The same each time the same change is told, so that a receiver can drop repeats. */
  id: string;
  type: 'TaskStateChanged';
  detail: {
    taskId: string;
    taskName: string;
    dataSourceId: string;
    previousStatus: TaskStatus;
    status: TaskStatus;
    reason: string | null;
  };
};

export type ContactOutcome = {
  id: string;
  type: 'ContactOutcome';
  detail: {
    taskId: string;
    dataSourceId: string;
    contactId: string;
    /** The call that settled it; of a blocked contact none. */
    callId: string | null;
    outcome: Outcome | 'blocked';
    /** What the dialer said of that call. */
    reason: CallReason | null;
    /** Of the latest call in this task: 0 none, 1 success, 2 failed, 3 no answer. */
    status: OutcomeStatus;
    /** Calls to the contact in this task, and their seconds. */
    callCount: number;
    callDuration: number;
    lastCallTime: Instant | null;
  };
};

export type DomainEvent = TaskStateChanged | ContactOutcome;

const taskSort = keys.task('').sk;
const isTask = ({ pk, sk }: Item) => pk.startsWith('TASK#') && sk === taskSort;
/** Told by its partition and by its sort key, a sequence number. */
const isTaskContact = ({ pk, sk, task }: Item) =>
  typeof task === 'string' && pk === keys.taskContact(task, Number(sk)).pk && sk === seqKey(Number(sk));

const stateChange = (before: Item, after: Item): TaskStateChanged[] => {
  const [was, task] = [before as unknown as Task, after as unknown as Task];
  if (was.status === task.status) return [];
  return [
    {
      id: `${task.id}-${after.version}`,
      type: 'TaskStateChanged',
      detail: {
        taskId: task.id,
        taskName: task.taskName,
        dataSourceId: task.dataSourceId,
        previousStatus: was.status,
        status: task.status,
        reason: task.reason,
      },
    },
  ];
};

type Settled = Pick<ContactOutcome, 'id'> & Pick<ContactOutcome['detail'], 'callId' | 'outcome' | 'reason'>;

/** How the contact ended with this write, if it did. A blocked one is told apart by its version: it had no call. */
const settledBy = (contact: TaskContact, was: unknown): Settled | undefined => {
  const { taskId, seq, state, lease } = contact;
  if (state === was) return undefined;
  if (state === 'blocked') {
    const id = callId({ taskId, seq, nonce: `blocked-${contact.version}` });
    return { id, callId: null, outcome: state, reason: null };
  }
  if (state !== 'final' || lease === null) return undefined;
  const id = callId({ taskId, seq, nonce: lease.nonce });
  const reason = contact.results.find(({ nonce }) => nonce === lease.nonce)?.reason ?? null;
  return { id, callId: id, outcome: contact.outcome, reason };
};

const finalOutcome = (before: Item, after: Item): ContactOutcome[] => {
  const contact = taskContactOf(after);
  const settled = settledBy(contact, before.state);
  if (settled === undefined) return [];
  const { id, ...how } = settled;
  const { taskId, dataSourceId, seq } = contact;
  return [
    {
      id,
      type: 'ContactOutcome',
      detail: {
        taskId,
        dataSourceId,
        contactId: contactId(dataSourceId, seq),
        ...how,
        status: outcomeStatus[contact.outcome ?? 'notDialed'],
        callCount: contact.callCount,
        callDuration: contact.duration,
        lastCallTime: contact.lastCallTime,
      },
    },
  ];
};

/**
 * What a committed write means to the world outside: a task that changed its state, a contact that got
 * its final outcome. Anything else means nothing. A new task is no change of state.
 */
export const eventsOf = ({ before, after }: ItemChange): DomainEvent[] => {
  if (before === undefined || after === undefined) return [];
  if (isTask(after)) return stateChange(before, after);
  return isTaskContact(after) ? finalOutcome(before, after) : [];
};
