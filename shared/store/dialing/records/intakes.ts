import type { DialState } from '../../../domain/dialing/dial-state.ts';
import { type Intake, type OpenIntake, openIntake } from '../../../domain/dialing/intake.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Contacts } from '../../contacts/index.ts';
import { type Database, type Item, ifPresent, keys, timeKey, tryWriteOnce } from '../../table/index.ts';
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

const keyOf = ({ taskId, checkTime, seqs }: Intake) => keys.intake(taskId, checkTime, seqs[0]!);

const itemOf = (intake: Intake): Item => ({ ...keyOf(intake), seqs: intake.seqs });

/** Release 0.2 stored `contacts`: each sequence number, and since when the contact waits. */
const seqsOf = ({ seqs, contacts }: Item): number[] =>
  (seqs as number[] | undefined) ?? (contacts as number[]).filter((_, at) => at % 2 === 0);

export const intakeOf = (taskId: string, item: Item): Intake => ({
  taskId,
  checkTime: Number.parseInt(item.sk, 10),
  seqs: seqsOf(item),
});

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
    const seqs = new Set(intakes.flatMap((intake) => intake.seqs));
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
    const added = contacts.map(({ seq }) => seq).filter((seq) => !known.has(seq));
    const intake = { taskId: task.id, checkTime: 0, seqs: added };
    const open = added.map((seq) => ({ seq }));
    const next = {
      ...dial,
      cursor: nextSeq,
      visibleTo,
      claimed: dial.claimed + added.length,
      ahead: dial.ahead - ahead.length,
    };
    const kept = added.length === 0 ? [] : [database.putOf(itemOf(intake))];
    const moved = [database.putOf(...nextDialState(next)), ...kept];
    if (!(await tryWriteOnce(() => database.transact(moved)))) return undefined;
    return {
      dial: { ...next, version: (dial.version ?? 0) + 1 },
      ...(added.length > 0 && { intake: { intake, open, inCall: new Map(), isOwn: true } }),
      isLast,
    };
  }

  /** Another request may have replaced the intake first: it wrote the same, or knows more. */
  async replace(intake: Intake, left: Intake | undefined): Promise<void> {
    const { database } = this.#deps;
    if (left?.checkTime === intake.checkTime) return;
    await tryWriteOnce(() =>
      left === undefined
        ? database.delete(keyOf(intake))
        : database.transact([database.deleteOf(keyOf(intake), ifPresent), database.putOf(itemOf(left))]),
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
