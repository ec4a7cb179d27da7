import type { DialState } from '../../domain/dialing/dial-state.ts';
import { type Intake, newIntake, type OpenIntake, openIntake } from '../../domain/dialing/intake.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/index.ts';
import type { Database, Item } from '../table/index.ts';
import { keys, timeKey, unlessContended } from '../table/index.ts';
import { nextDialState, readDialState } from './dialing-items.ts';
import type { TaskContacts } from './task-contacts.ts';

/** How far dialing of a task has come: the cursor, and the intakes to check by now. */
export type DialProgress = { dial: DialState; intakes: Intake[] };

/** What a move of the cursor found. */
type CursorMove = { dial: DialState; intake?: OpenIntake; isLast: boolean };

type Dependencies = {
  database: Database;
  contacts: Contacts;
  taskContacts: TaskContacts;
  /** How many contacts the cursor moves over at a time, at least. */
  stretch: number;
};

/** Intakes checked in one request, at most. */
const checkedAtOnce = 100;

const keyOf = ({ taskId, checkTime, contacts }: Intake) => keys.intake(taskId, checkTime, contacts[0]!.seq);

const itemOf = (intake: Intake): Item => ({
  ...keyOf(intake),
  contacts: intake.contacts.flatMap(({ seq, since }) => [seq, since]),
});

const intakeOf = (taskId: string, { sk, contacts }: Item): Intake => {
  const numbers = contacts as number[];
  return {
    taskId,
    checkTime: Number.parseInt(sk, 10),
    contacts: numbers.flatMap((seq, at) => (at % 2 === 0 ? [{ seq, since: numbers[at + 1]! }] : [])),
  };
};

/** Takes contacts up: moves the cursor over them, and lists them until they have a place in line or an outcome. */
export class Intakes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async progress(taskId: string, now: Instant): Promise<DialProgress> {
    const [dial, intakes] = await Promise.all([
      readDialState(this.#deps.database, taskId),
      this.#read(taskId, 'sk < :now', now, checkedAtOnce),
    ]);
    return { dial, intakes };
  }

  /** When the next of the intakes is to be checked. */
  async nextCheckTime(taskId: string, now: Instant): Promise<Instant | undefined> {
    const [next] = await this.#read(taskId, 'sk >= :now', now, 1);
    return next?.checkTime;
  }

  async open(taskId: string, intakes: readonly Intake[], now: Instant): Promise<OpenIntake[]> {
    const seqs = new Set(intakes.flatMap(({ contacts }) => contacts.map(({ seq }) => seq)));
    const found = await this.#deps.taskContacts.among(
      taskId,
      [...seqs].sort((a, b) => a - b),
    );
    const known = new Map(found.map((contact) => [contact.seq, contact]));
    return intakes.map((intake) => openIntake(intake, known, now));
  }

  /**
   * Moves the cursor over the next `count` contacts or more, or as many as there are. Nothing when another request
   * moved the cursor first.
   */
  async take(task: Task, dial: DialState, count: number): Promise<CursorMove | undefined> {
    const { database, taskContacts, stretch } = this.#deps;
    const { contacts, nextSeq, visibleTo, isLast } = await this.#deps.contacts.claimable(
      task.dataSourceId,
      dial.cursor,
      Math.max(count, stretch),
      dial.visibleTo,
    );
    if (contacts.length === 0 && isLast) return { dial, isLast };
    const ahead = dial.ahead > 0 ? await taskContacts.range(task.id, dial.cursor, nextSeq) : [];
    const known = new Set(ahead.map(({ seq }) => seq));
    const added = contacts.filter(({ seq }) => !known.has(seq));
    const intake = newIntake(task, added);
    const next = {
      ...dial,
      cursor: nextSeq,
      visibleTo,
      claimed: dial.claimed + added.length,
      ahead: dial.ahead - ahead.length,
    };
    const kept = added.length === 0 ? [] : [database.putOf(itemOf(intake))];
    const moved = [database.putOf(...nextDialState(next)), ...kept];
    if (!(await unlessContended(() => database.transact(moved)))) return undefined;
    return {
      dial: { ...next, version: (dial.version ?? 0) + 1 },
      ...(added.length > 0 && { intake: { intake, open: intake.contacts, inCall: new Map(), isOwn: true } }),
      isLast,
    };
  }

  /** Another request may have replaced the intake first: it wrote the same, or knows more. */
  async replace(intake: Intake, left: Intake | undefined): Promise<void> {
    const { database } = this.#deps;
    if (left?.checkTime === intake.checkTime) return;
    await unlessContended(() =>
      left === undefined
        ? database.delete(keyOf(intake))
        : database.transact([
            database.deleteOf(keyOf(intake), { ConditionExpression: 'attribute_exists(pk)' }),
            database.putOf(itemOf(left)),
          ]),
    );
  }

  async #read(taskId: string, range: string, now: Instant, limit: number): Promise<Intake[]> {
    const items = await this.#deps.database.queryAll({
      KeyConditionExpression: `pk = :pk AND ${range}`,
      ExpressionAttributeValues: { ':pk': keys.intakes(taskId), ':now': timeKey(now + 1) },
      Limit: limit,
    });
    return items.map((item) => intakeOf(taskId, item));
  }
}
