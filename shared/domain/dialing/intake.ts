import { type Instant, secondMs } from '../time.ts';
import { isInCall, isOutOfLine, type TaskContact } from './task-contact.ts';

/** A contact that waits for its first call; with a version where the lease of that call ran out. */
export type IntakeContact = { seq: number; version?: number };

/**
 * Contacts that the cursor has passed: they are counted, and in no line until their first call has ended. Lease
 * requests take fresh contacts from intakes only.
 */
export type Intake = {
  taskId: string;
  /** 0 while some of the contacts were never leased, then the time the first of their leases ends. */
  checkTime: Instant;
  /** In ascending order. */
  seqs: number[];
  /** When it was made, the contacts between them were passed: few of them have a task contact. */
  isSparse?: true;
  /** Of an intake that many requests share: how many of its contacts were handed out, and when the last of them were. */
  handedOut?: { count: number; time: Instant };
};

/** A request leases the contacts that it was handed within that time, or has died. */
const leaseMs = 3 * secondMs;

/** Contacts of a shared intake that no request was handed yet. */
export const isShared = ({ handedOut, seqs }: Intake): boolean =>
  handedOut !== undefined && handedOut.count < seqs.length;

/** All its contacts were handed out, and some requests may not have leased theirs yet. */
export const isBeingLeased = ({ handedOut, seqs }: Intake, now: Instant): boolean =>
  handedOut !== undefined && handedOut.count >= seqs.length && handedOut.time > now - leaseMs;

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

/** `known`: the contacts of the intake that were leased before. */
export const openIntake = (
  intake: Intake,
  known: ReadonlyMap<number, TaskContact>,
  now: Instant,
): OpenIntake => {
  const open: IntakeContact[] = [];
  const inCall = new Map<number, Instant>();
  for (const seq of intake.seqs) {
    const contact = known.get(seq);
    if (contact === undefined) open.push({ seq });
    else if (!isOutOfLine(contact)) continue;
    else if (isInCall(contact, now)) inCall.set(seq, contact.lease.until);
    else open.push({ seq, version: contact.version! });
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
  const seqs = intake.seqs.filter((seq) => inCall.has(seq) || leased.has(seq));
  if (seqs.length === 0) return undefined;
  const ends = seqs.map((seq) => leased.get(seq) ?? inCall.get(seq)!);
  const { handedOut: _, ...rest } = intake;
  return { ...rest, checkTime: Math.min(...ends), seqs };
};
