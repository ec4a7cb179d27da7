import type { Contact } from '../contacts/contact.ts';
import type { Task } from '../tasks/task.ts';
import type { Instant } from '../time.ts';
import { waitingSince } from './dialing.ts';
import { isInCall, isOutOfLine, type TaskContact } from './task-contact.ts';

/** A contact that waits for its first call since then; with a version where the lease of that call ran out. */
export type IntakeContact = { seq: number; since: Instant; version?: number };

/**
 * Contacts that the cursor has passed: they are counted, and in no line until their first call has ended. Lease
 * requests take fresh contacts from intakes only.
 */
export type Intake = {
  taskId: string;
  /** 0 while some of the contacts were never leased, then the time the first of their leases ends. */
  checkTime: Instant;
  /** In ascending order. */
  contacts: IntakeContact[];
};

/** An intake with what is known of its contacts. A contact that is neither open nor in a call has left the intake. */
export type OpenIntake = {
  intake: Intake;
  /** May be called now. */
  open: IntakeContact[];
  /** When the leases of the contacts in a call end, by sequence number. */
  inCall: ReadonlyMap<number, Instant>;
  /** Made by this request. */
  isOwn?: true;
};

/** Contacts wait in sequence order even where the clocks disagreed, so that none is left behind. */
export const newIntake = (task: Task, added: readonly Contact[]): Intake => {
  let since = 0;
  const contacts = added.map(({ seq, createTime }) => {
    since = waitingSince(task, Math.max(since, createTime));
    return { seq, since };
  });
  return { taskId: task.id, checkTime: 0, contacts };
};

/** `known`: the contacts of the intake that were leased before. */
export const openIntake = (
  intake: Intake,
  known: ReadonlyMap<number, TaskContact>,
  now: Instant,
): OpenIntake => {
  const open: IntakeContact[] = [];
  const inCall = new Map<number, Instant>();
  for (const fresh of intake.contacts) {
    const contact = known.get(fresh.seq);
    if (contact === undefined) open.push(fresh);
    else if (!isOutOfLine(contact)) continue;
    else if (isInCall(contact, now)) inCall.set(fresh.seq, contact.lease.until);
    else open.push({ ...fresh, since: contact.lease.until, version: contact.version! });
  }
  return { intake, open, inCall };
};

/**
 * What is left of an intake after a request has leased or deferred some of its contacts: the same intake while others
 * may be called, then the contacts in a call until the first of their leases ends, at last nothing.
 */
export const intakeAfter = (
  { intake, open, inCall }: OpenIntake,
  leased: ReadonlyMap<number, Instant>,
  deferred: ReadonlySet<number>,
): Intake | undefined => {
  if (open.some(({ seq }) => !leased.has(seq) && !deferred.has(seq))) return intake;
  const contacts = intake.contacts.filter(({ seq }) => inCall.has(seq) || leased.has(seq));
  if (contacts.length === 0) return undefined;
  const ends = contacts.map(({ seq }) => leased.get(seq) ?? inCall.get(seq)!);
  return { ...intake, checkTime: Math.min(...ends), contacts };
};

export const countFresh = (intakes: readonly OpenIntake[]): number =>
  intakes.flatMap(({ open }) => open).filter(({ version }) => version === undefined).length;
