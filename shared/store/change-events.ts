import { callId } from '../domain/call-id.ts';
import { contactId } from '../domain/contact-id.ts';
import { type OutcomeStatus, outcomeStatus } from '../domain/dialing.ts';
import type { Task } from '../domain/task.ts';
import type { TaskStatus } from '../domain/task-states.ts';
import type { Instant } from '../domain/time.ts';
import type { Item } from './database.ts';
import { taskContactOf } from './dialing/dialing-items.ts';
import { keys, seqKey } from './keys.ts';

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
    callId: string;
    /** 1 success, 2 failed, 3 no answer. */
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

const finalOutcome = (before: Item, after: Item): ContactOutcome[] => {
  const contact = taskContactOf(after);
  if (contact.state !== 'final' || before.state === 'final' || contact.lease === null) return [];
  const { taskId, dataSourceId, seq, lease, outcome } = contact;
  const id = callId({ taskId, seq, nonce: lease.nonce });
  return [
    {
      id,
      type: 'ContactOutcome',
      detail: {
        taskId,
        dataSourceId,
        contactId: contactId(dataSourceId, seq),
        callId: id,
        status: outcomeStatus[outcome],
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
