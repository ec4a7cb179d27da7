/**
 * What a published task does: which contacts to call, when, and what follows from each call.
 *
 * A contact of a task is *fresh*, *waits* for its due time, is *leased* to a dialer, or needs no
 * further call. One table (`rules/task-contact.ts`) has every state and every move between them.
 * Two rules decide: `mayCall` whether a contact is called now, and `reportCall` what a result leads
 * to.
 *
 * - A *lease request* (`Leases`) takes the due tasks of the agenda, takes up fresh contacts by
 *   moving the cursor, takes due contacts from the line, and leases each of them by one conditional
 *   write. So two dialers never get the same contact.
 * - A *result* (`CallResults`) is one transaction over task contact, counter, contact and the
 *   record of the call. It counts once.
 * - `LiveLeases` gives a call back or keeps it, `Recalls` queues contacts again, `DeferredContacts`
 *   and `Selection` consider contacts again that had to wait or did not match, and `ends.ts` ends a
 *   task or pauses it.
 * - Each move of a contact needs the version that was read. Of two requests for one contact the
 *   first wins, and the other one reads again. The move and the counters of the task change in one
 *   transaction.
 *
 * A person is called again for one of these causes: a retry, an agreed callback or a recall; a
 * lease that ran out without a result; a call that its dialer gave back; or another task, or
 * another contact with the same number. `NumberCalls` counts the calls to each number, for the
 * limits of the service and of tasks, and for its rest.
 *
 * When a dialer dies, its leases expire. Each contact is still in line, or in its intake, and the
 * next lease request finds it there. When a process of the service dies, its client has no answer
 * and sends the request again. A lease request with a key gets the calls that it had leased, and a
 * result counts once.
 */

import type { CallRecords } from '../calls/call-records.ts';
import type { LogCall } from '../calls/rules/call.ts';
import type { ServiceDays, TaskTimeline } from '../calls/timeline.ts';
import type { Contacts } from '../contacts/contacts.ts';
import { type Numbering, withoutCountry } from '../contacts/rules/phone-number.ts';
import type { Agenda } from '../platform/agenda/agenda.ts';
import type { Database } from '../platform/table/database.ts';
import type { ServiceHours } from '../platform/time/schedule.ts';
import { AskedTimes } from '../tasks/task-items.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { CallingRules, noLimits, type ServiceLimits } from './calling-rules.ts';
import { EarlierCalls } from './earlier-calls.ts';
import { Leases } from './leases/leases.ts';
import { LiveLeases } from './leases/live-leases.ts';
import { Recalls } from './leases/recalls.ts';
import { NumberCalls } from './number-calls.ts';
import { Pace } from './pace.ts';
import { DeferredContacts, type Selection } from './reconsidered.ts';
import { Annotations } from './results/annotations.ts';
import { CallResults } from './results/call-results.ts';
import { TaskEnds } from './results/ends.ts';
import { channelsInProgress, type TaskContacts } from './task-contacts.ts';

type DialerDependencies = ServiceHours & {
  database: Database;
  agenda: Agenda;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  callRecords: CallRecords;
  selection: Selection;
  timeline: TaskTimeline;
  days: ServiceDays;
  /** At least 10 characters of letters and digits, never the same twice. */
  newId: () => string;
  /** The limits of the service on the calls to one number; by default there are none. */
  limits?: ServiceLimits;
  /** ISO 3166 code of the service's country; by default it has none. */
  country?: string;
  /** Maximum of calls of all tasks at once. 0, the default: no limit. */
  maxConcurrentCalls?: number;
  /** How numbers are written in the service's country; by default it has none. */
  phones?: () => Promise<Numbering>;
  /** Writes the call log. */
  logCall?: LogCall;
  /**
   * Minimum of contacts that the cursor moves over at a time. More contacts mean fewer writes, but
   * more reads for each lease.
   */
  contactsPerMove?: number;
};

const usualPerMove = 32;

type NumberDependencies = Pick<DialerDependencies, 'tasks' | 'callRecords' | 'days'> & {
  phones: () => Promise<Numbering>;
};

/** The calls to each number, made once a process. */
export const openNumbers = (database: Database, deps: NumberDependencies) =>
  new NumberCalls({ database, earlier: new EarlierCalls({ ...deps, database }) });

/** What works on published tasks, made once a process. */
export const openDialer = (deps: DialerDependencies) => {
  const { database, taskContacts, maxConcurrentCalls = 0, contactsPerMove = usualPerMove } = deps;
  const { limits = noLimits, country = '', phones = async () => withoutCountry, logCall = () => {} } = deps;
  const numbers = openNumbers(database, { ...deps, phones });
  const rules = new CallingRules(database, { ...deps, limits, numbers, country, phones });
  const pace = new Pace({
    database,
    maxConcurrentCalls,
    inProgress: (task, now) => channelsInProgress(database, taskContacts, task, now),
  });
  const recalls = new Recalls({ ...deps, rules });
  const ends = new TaskEnds(deps);
  const asked = new AskedTimes(database);
  const deferred = new DeferredContacts({ ...deps, rules });
  const parts = { ...deps, rules, pace, logCall, contactsPerMove, recalls, ends, asked };
  return {
    leases: new Leases(parts),
    liveLeases: new LiveLeases(parts),
    results: new CallResults(parts),
    annotations: new Annotations({ ...parts, deferred }),
    recalls,
    deferred,
    ends,
  };
};

export type Dialer = ReturnType<typeof openDialer>;
