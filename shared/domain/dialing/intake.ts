import type { Contact } from '../contacts/contact.ts';
import type { Task } from '../tasks/task.ts';
import type { Instant } from '../time.ts';
import { waitingSince } from './dialing.ts';
import { isInCall, isOutOfLine, type TaskContact } from './task-contact.ts';

/**
 * A contact that waits for its first call since then; with the number it had when it was taken up, where calls
 * are counted by number.
 */
export type Fresh = { seq: number; since: Instant; phoneNumber?: string };

/**
 * Contacts that the cursor has passed: counted, and in no line until their first call has ended. Whoever
 * leases takes fresh contacts from here only.
 */
export type Intake = {
  taskId: string;
  /** 0 while some of them were never leased, then the moment the first of their leases ends. */
  checkTime: Instant;
  /** In ascending order. */
  contacts: Fresh[];
};

/** Who of an intake may be called now, and when the calls of the others end. */
export type OpenIntake = {
  intake: Intake;
  /** By sequence number; with a version where a first lease ran out, waiting since then. */
  open: Map<number, Fresh & { version?: number }>;
  inCall: Map<number, Instant>;
  /** Made by this request. */
  isOwn?: true;
};

/** Waiting in sequence order whatever the clocks said, so that none is left behind. */
export const newIntake = (task: Task, added: readonly Contact[], hasNumbers: boolean): Intake => {
  let since = 0;
  const contacts = added.map(({ seq, createTime, phoneNumber }) => {
    since = waitingSince(task, Math.max(since, createTime));
    return { seq, since, ...(hasNumbers && { phoneNumber }) };
  });
  return { taskId: task.id, checkTime: 0, contacts };
};

/** With everybody who may be called now; `known` has those that were called before. */
export const openIntake = (
  intake: Intake,
  known: ReadonlyMap<number, TaskContact> = new Map(),
  now: Instant = 0,
): OpenIntake => {
  const opened: OpenIntake = { intake, open: new Map(), inCall: new Map() };
  for (const fresh of intake.contacts) {
    const contact = known.get(fresh.seq);
    if (contact === undefined) opened.open.set(fresh.seq, fresh);
    else if (!isOutOfLine(contact)) continue;
    else if (isInCall(contact, now)) opened.inCall.set(fresh.seq, contact.lease.until);
    else opened.open.set(fresh.seq, { ...fresh, since: contact.lease.until, version: contact.version! });
  }
  return opened;
};

/** What is left of it once nobody of it may be called: nothing, or who is in a call until the first ends. */
export const closedIntake = ({ intake, inCall }: OpenIntake): Intake | undefined =>
  inCall.size === 0
    ? undefined
    : {
        ...intake,
        checkTime: Math.min(...inCall.values()),
        contacts: intake.contacts.filter(({ seq }) => inCall.has(seq)),
      };

export const freshIn = (intakes: readonly OpenIntake[]): number =>
  intakes.flatMap(({ open }) => [...open.values()]).filter(({ version }) => version === undefined).length;
