import type { DialState } from '../../domain/dialing/dial-state.ts';
import {
  closedIntake,
  type Intake,
  newIntake,
  type OpenIntake,
  openIntake,
} from '../../domain/dialing/intake.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/index.ts';
import type { Database, Item } from '../table/index.ts';
import { keys, timeKey, unlessContended } from '../table/index.ts';
import { nextDialState, readDialState } from './dialing-items.ts';
import type { TaskContacts } from './task-contacts.ts';

/** How far dialing of a task has come: the cursor, and the intakes to check by now. */
export type DialProgress = { dial: DialState; intakes: Intake[] };

/** What a move of the cursor found: `undefined` when another dialer moved it first. */
type TakenUp = { dial: DialState; intake?: OpenIntake; isLast: boolean };

type Dependencies = {
  database: Database;
  contacts: Contacts;
  taskContacts: TaskContacts;
  /** How many contacts the cursor moves over at a time, at the least. */
  stretch: number;
  /** Keeps the phone numbers with the contacts. */
  hasNumbers: boolean;
};

/** Records looked at in one request at the most. */
const lookedAtOnce = 100;

const keyOf = ({ taskId, checkTime, contacts }: Intake) => keys.intake(taskId, checkTime, contacts[0]!.seq);

/** Phone numbers in one text: the item of a stretch stays below 1 KB, one write unit. */
const itemOf = (intake: Intake): Item => ({
  ...keyOf(intake),
  contacts: intake.contacts.flatMap(({ seq, since }) => [seq, since]),
  ...(intake.contacts[0]?.phoneNumber !== undefined && {
    phones: intake.contacts.map(({ phoneNumber }) => phoneNumber).join(' '),
  }),
});

const intakeOf = (taskId: string, { sk, contacts, phones }: Item): Intake => {
  const numbers = contacts as number[];
  const phoneNumbers = (phones as string | undefined)?.split(' ') ?? [];
  const fresh = (at: number) => {
    const phoneNumber = phoneNumbers[at / 2];
    return { seq: numbers[at]!, since: numbers[at + 1]!, ...(phoneNumber !== undefined && { phoneNumber }) };
  };
  return {
    taskId,
    checkTime: Number.parseInt(sk, 10),
    contacts: numbers.flatMap((_, at) => (at % 2 === 0 ? [fresh(at)] : [])),
  };
};

/** Takes contacts up: moves the cursor over them, and keeps them until they have a place in line or an outcome. */
export class Intakes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async progress(taskId: string, now: Instant): Promise<DialProgress> {
    const [dial, intakes] = await Promise.all([
      readDialState(this.#deps.database, taskId),
      this.#read(taskId, 'sk < :now', now, lookedAtOnce),
    ]);
    return { dial, intakes };
  }

  /** When the next of the intakes is to be checked. */
  async nextCheckTime(taskId: string, now: Instant): Promise<Instant | undefined> {
    const [next] = await this.#read(taskId, 'sk >= :now', now, 1);
    return next?.checkTime;
  }

  /** With everybody who may be called now. */
  async open(taskId: string, intakes: readonly Intake[], now: Instant): Promise<OpenIntake[]> {
    const seqs = new Set(intakes.flatMap(({ contacts }) => contacts.map(({ seq }) => seq)));
    const found = await this.#deps.taskContacts.among(
      taskId,
      [...seqs].sort((a, b) => a - b),
    );
    const known = new Map(found.map((contact) => [contact.seq, contact]));
    return intakes.map((intake) => openIntake(intake, known, now));
  }

  /** Moves the cursor over the next `count` contacts or more, or as many as there are. */
  async take(task: Task, dial: DialState, count: number): Promise<TakenUp | undefined> {
    const { database, taskContacts, stretch, hasNumbers } = this.#deps;
    const wanted = Math.max(count, stretch);
    const { contacts, nextSeq, visibleTo, isLast } = await this.#deps.contacts.claimable(
      task.dataSourceId,
      dial.cursor,
      wanted,
      dial.visibleTo,
    );
    if (contacts.length === 0 && isLast) return { dial, isLast };
    const ahead = dial.ahead > 0 ? await taskContacts.range(task.id, dial.cursor, nextSeq) : [];
    const known = new Set(ahead.map(({ seq }) => seq));
    const intake = newIntake(
      task,
      contacts.filter(({ seq }) => !known.has(seq)),
      hasNumbers,
    );
    const fresh = intake.contacts.length;
    const next = {
      ...dial,
      cursor: nextSeq,
      visibleTo,
      claimed: dial.claimed + fresh,
      ahead: dial.ahead - ahead.length,
    };
    const kept = fresh === 0 ? [] : [database.putOf(itemOf(intake))];
    const moved = [database.putOf(...nextDialState(next)), ...kept];
    if (!(await unlessContended(() => database.transact(moved)))) return undefined;
    return {
      dial: { ...next, version: (dial.version ?? 0) + 1 },
      ...(fresh > 0 && { intake: { ...openIntake(intake), isOwn: true } }),
      isLast,
    };
  }

  /** Once nobody of it may be called: the record waits for the first lease to end, or is done with. */
  async close(opened: OpenIntake): Promise<void> {
    const { database } = this.#deps;
    const { intake, open } = opened;
    if (open.size > 0) return;
    const left = closedIntake(opened);
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
