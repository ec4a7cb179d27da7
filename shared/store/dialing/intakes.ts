import type { Contact } from '../../domain/contact.ts';
import { waitingSince } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import { isInCall, isOutOfLine } from '../../domain/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Database, Item } from '../database.ts';
import { keys, timeKey } from '../keys.ts';
import { unlessContended } from '../optimistic.ts';
import { type DialState, nextDialState, readDialState } from './dial-state.ts';
import type { TaskContacts } from './task-contacts.ts';

/** A contact that waits for its first call since then. */
export type Fresh = { seq: number; since: Instant };

/**
 * Contacts that the cursor has passed: counted, and in no line until their first call has ended. Whoever
 * leases takes fresh contacts from here only.
 */
export type Intake = {
  taskId: string;
  /** 0 while some of them were never leased, then the moment the first of their leases ends. */
  look: Instant;
  /** In ascending order. */
  contacts: Fresh[];
};

/** How dialing of a task stands: the cursor, and the intake records to look at by now. */
export type Standing = { dial: DialState; intakes: Intake[] };

/** Who of an intake record may be called now, and when the calls of the others end. */
export type OpenIntake = {
  intake: Intake;
  /** By sequence number; with a version where a first lease ran out, waiting since then. */
  open: Map<number, Fresh & { version?: number }>;
  inCall: Map<number, Instant>;
  /** Made by this request. */
  isOwn?: true;
};

/** What a move of the cursor found: `undefined` when another dialer moved it first. */
type Taken = { dial: DialState; intake?: OpenIntake; isLast: boolean; isHeldBack: boolean };

/** Records looked at in one request at the most. */
const lookedAtOnce = 100;

const itemOf = ({ taskId, look, contacts }: Intake): Item => ({
  ...keys.intake(taskId, look, contacts[0]!.seq),
  contacts: contacts.flatMap(({ seq, since }) => [seq, since]),
});

const intakeOf = (taskId: string, { sk, contacts }: Item): Intake => {
  const numbers = contacts as number[];
  return {
    taskId,
    look: Number.parseInt(sk, 10),
    contacts: numbers.flatMap((seq, i) => (i % 2 === 0 ? [{ seq, since: numbers[i + 1]! }] : [])),
  };
};

const keyOf = ({ taskId, look, contacts }: Intake) => keys.intake(taskId, look, contacts[0]!.seq);

/** Waiting in sequence order whatever the clocks said, so that none is left behind. */
const freshOf = (task: Task, contacts: readonly Contact[]): Fresh[] => {
  let since = 0;
  return contacts.map(({ seq, createTime }) => {
    since = waitingSince(task, Math.max(since, createTime));
    return { seq, since };
  });
};

const readRecords = async (
  database: Database,
  taskId: string,
  range: string,
  now: Instant,
  limit: number,
): Promise<Intake[]> => {
  const items = await database.queryAll({
    KeyConditionExpression: `pk = :pk AND ${range}`,
    ExpressionAttributeValues: { ':pk': keys.intakes(taskId), ':now': timeKey(now + 1) },
    Limit: limit,
  });
  return items.map((item) => intakeOf(taskId, item));
};

const openIntakes = async (
  taskContacts: TaskContacts,
  taskId: string,
  intakes: readonly Intake[],
  now: Instant,
): Promise<OpenIntake[]> => {
  const seqs = intakes.flatMap(({ contacts }) => contacts.map(({ seq }) => seq));
  const found = await taskContacts.among(
    taskId,
    [...new Set(seqs)].sort((a, b) => a - b),
  );
  const known = new Map(found.map((contact) => [contact.seq, contact]));
  return intakes.map((intake): OpenIntake => {
    const opened: OpenIntake = { intake, open: new Map(), inCall: new Map() };
    for (const fresh of intake.contacts) {
      const contact = known.get(fresh.seq);
      if (contact === undefined) opened.open.set(fresh.seq, fresh);
      else if (!isOutOfLine(contact)) continue;
      else if (isInCall(contact, now)) opened.inCall.set(fresh.seq, contact.lease.until);
      else opened.open.set(fresh.seq, { ...fresh, since: contact.lease.until, version: contact.version! });
    }
    return opened;
  });
};

/** Takes contacts up: moves the cursor over them, and keeps them until they have a place in line or an outcome. */
export class Intakes {
  readonly #database: Database;
  readonly #contacts: Contacts;
  readonly #taskContacts: TaskContacts;
  readonly #stretch: number;

  /** @param stretch how many contacts the cursor moves over at a time, at the least */
  constructor(database: Database, contacts: Contacts, taskContacts: TaskContacts, stretch: number) {
    this.#database = database;
    this.#contacts = contacts;
    this.#taskContacts = taskContacts;
    this.#stretch = stretch;
  }

  async standing(taskId: string, now: Instant): Promise<Standing> {
    const [dial, intakes] = await Promise.all([
      readDialState(this.#database, taskId),
      readRecords(this.#database, taskId, 'sk < :now', now, lookedAtOnce),
    ]);
    return { dial, intakes };
  }

  /** With everybody who may be called now. */
  open(taskId: string, intakes: readonly Intake[], now: Instant): Promise<OpenIntake[]> {
    return openIntakes(this.#taskContacts, taskId, intakes, now);
  }

  /** Moves the cursor over the next `count` contacts or more, or as many as there are. */
  async take(task: Task, dial: DialState, count: number): Promise<Taken | undefined> {
    const wanted = Math.max(count, this.#stretch);
    const found = await this.#contacts.claimable(task.dataSourceId, dial.cursor, wanted, dial.visibleTo);
    const { contacts, nextSeq, visibleTo, isLast, isHeldBack } = found;
    const ahead = dial.ahead > 0 ? await this.#taskContacts.range(task.id, dial.cursor, nextSeq) : [];
    const known = new Set(ahead.map(({ seq }) => seq));
    const fresh = freshOf(
      task,
      contacts.filter(({ seq }) => !known.has(seq)),
    );
    if (contacts.length === 0 && isLast) return { dial, isLast, isHeldBack };
    const next = {
      ...dial,
      cursor: nextSeq,
      visibleTo,
      claimed: dial.claimed + fresh.length,
      ahead: dial.ahead - ahead.length,
    };
    const moved = this.#database.putOf(...nextDialState(dial, next));
    const intake = { taskId: task.id, look: 0, contacts: fresh };
    const kept = fresh.length === 0 ? [] : [this.#database.putOf(itemOf(intake))];
    const isTaken = await unlessContended(() => this.#database.transact([moved, ...kept]));
    if (!isTaken) return undefined;
    const open = new Map(fresh.map((contact) => [contact.seq, contact]));
    return {
      dial: { ...next, version: (dial.version ?? 0) + 1 },
      ...(fresh.length > 0 && { intake: { intake, open, inCall: new Map(), isOwn: true } }),
      isLast,
      isHeldBack,
    };
  }

  /** Once nobody of it may be called: the record waits for the first lease to end, or is done with. */
  async close({ intake, open, inCall }: OpenIntake): Promise<void> {
    if (open.size > 0) return;
    const look = Math.min(...inCall.values());
    if (inCall.size > 0 && look === intake.look) return;
    const contacts = intake.contacts.filter(({ seq }) => inCall.has(seq));
    await unlessContended(() =>
      contacts.length === 0
        ? this.#database.delete(keyOf(intake))
        : this.#database.transact([
            this.#database.deleteOf(keyOf(intake), { ConditionExpression: 'attribute_exists(pk)' }),
            this.#database.putOf(itemOf({ ...intake, look, contacts })),
          ]),
    );
  }

  /** When to look at the next of them. */
  async nextLook(taskId: string, now: Instant): Promise<Instant | undefined> {
    const [next] = await readRecords(this.#database, taskId, 'sk >= :now', now, 1);
    return next?.look;
  }
}
