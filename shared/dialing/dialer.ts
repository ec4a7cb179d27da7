import type { CallRecords, ServiceDays, TaskTimeline } from '../calls/index.ts';
import type { LogCall } from '../calls/rules.ts';
import type { Contacts } from '../contacts/index.ts';
import { type Numbering, withoutCountry } from '../contacts/rules.ts';
import type { Agenda } from '../platform/agenda/index.ts';
import type { Database } from '../platform/table/index.ts';
import type { ServiceHours } from '../platform/time/index.ts';
import { AskedTimes, type Tasks } from '../tasks/index.ts';
import { Recalls } from './again/recalls.ts';
import { DeferredContacts, type Selection } from './again/reconsidered.ts';
import { Annotations } from './annotations.ts';
import { CallResults } from './call-results.ts';
import { CallingRules } from './calling-rules.ts';
import { TaskEnds } from './ends.ts';
import { Leases } from './leases/leases.ts';
import { LiveLeases } from './leases/live-leases.ts';
import { Pace } from './pace/pace.ts';
import { channelsInProgress, type TaskContacts } from './records/task-contacts.ts';

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
  /** Calls to one phone number in one day of the service, in all tasks; 0, the default: no limit. */
  callsPerNumber?: number;
  /** Calls of all tasks at once; 0, the default: no limit. */
  maxConcurrentCalls?: number;
  /** How numbers are written in the service's country; by default it has none. */
  phones?: () => Promise<Numbering>;
  /** Writes the call log. */
  logCall?: LogCall;
  /** Contacts that the cursor moves over at a time, at least: fewer writes against more reads for each lease. */
  contactsPerMove?: number;
};

const usualPerMove = 32;

/** What works published tasks off, made once a process. The door tells how the parts work together. */
export const openDialer = (deps: DialerDependencies) => {
  const { database, taskContacts, maxConcurrentCalls = 0, contactsPerMove = usualPerMove } = deps;
  const { callsPerNumber = 0, phones = async () => withoutCountry, logCall = () => {} } = deps;
  const rules = new CallingRules(database, { ...deps, callsPerNumber, phones });
  const pace = new Pace({
    database,
    maxConcurrentCalls,
    inProgress: (task, now) => channelsInProgress(database, taskContacts, task, now),
  });
  const recalls = new Recalls(deps);
  const ends = new TaskEnds(deps);
  const asked = new AskedTimes(database);
  const parts = { ...deps, rules, pace, logCall, contactsPerMove, recalls, ends, asked };
  return {
    leases: new Leases(parts),
    liveLeases: new LiveLeases(parts),
    results: new CallResults(parts),
    annotations: new Annotations(deps),
    recalls,
    deferred: new DeferredContacts(deps),
    ends,
  };
};

export type Dialer = ReturnType<typeof openDialer>;
