import timers from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { LeasedCall } from '../../shared/domain/call.ts';
import { contactId } from '../../shared/domain/contact-id.ts';
import type { Outcome } from '../../shared/domain/dialing.ts';
import { ServiceError } from '../../shared/domain/errors.ts';
import type { Task } from '../../shared/domain/task.ts';
import { status } from '../../shared/domain/task-states.ts';
import type { Database } from '../../shared/store/database.ts';
import { Imports } from '../../shared/store/imports/contact-imports.ts';
import { keys } from '../../shared/store/keys.ts';
import { aRunningTask, aService, hour, leaseFrom, reportAll } from '../support/dialing.ts';
import { CallsInHand, DialingInvariants } from '../support/dialing-invariants.ts';
import { engines, type OpenTable } from '../support/engines.ts';
import { placeAndCommit } from '../support/imports.ts';
import { Chance, Crash, Interleaving, SteppedDatabase } from '../support/interleaving.ts';

/** About a second each; the same ones every time, unless others are asked for. */
const runs = Number(process.env.DIALING_INTERLEAVINGS ?? 20);
const firstSeed = Number(process.env.SEED ?? 1);

/** Milliseconds by which the clock of a dialer may be slow or fast. */
const clockError = 200;
/** Calls whose results a dialer keeps to itself, some until their leases have run out. */
const keptAtMost = 2;
const turns = { dialer: 8, operator: 10, importer: 2 };

/** What a client would be told, or the end of a process that is meant to die. */
const tolerate = (error: unknown) => {
  if (!(error instanceof Crash) && !(error instanceof ServiceError)) throw error;
};

/** Processes that work on one task side by side. */
class Processes {
  readonly #table: OpenTable;
  readonly #task: Task;
  readonly #interleaving: Interleaving;
  readonly #chance: Chance;
  readonly #inHand = new CallsInHand(2 * clockError);
  #recallsUnderWay = 0;
  #phones = 0;

  constructor(table: OpenTable, task: Task, interleaving: Interleaving) {
    this.#table = table;
    this.#task = task;
    this.#interleaving = interleaving;
    this.#chance = interleaving.chance;
  }

  get isRecalled(): boolean {
    return this.#recallsUnderWay > 0;
  }

  /** As many as chance wants, each under way to its first database call. */
  begin(): Promise<void>[] {
    return [
      ...['dialer 1', 'dialer 2', 'dialer 3', 'dialer 4'].map((name) => this.#dial(name)),
      this.#operate('operator 1'),
      ...(this.#chance.happens(0.7) ? [this.#import('importer')] : []),
      ...(this.#chance.happens(0.5) ? [this.#operate('operator 2')] : []),
    ];
  }

  async #dial(name: string): Promise<void> {
    const kept: LeasedCall[] = [];
    for (let turn = 0; turn < turns.dialer; turn++) {
      const dialer = this.#started(name);
      if (this.#chance.happens(0.15)) dialer.database.crashAfter(this.#chance.below(25));
      for (const call of await this.#lease(dialer)) {
        const fate = this.#chance.fraction();
        if (fate < 0.5) await this.#report(name, call);
        else if (fate < 0.65) kept.push(call);
        else if (fate < 0.75) await this.#release(dialer, call);
      }
      while (kept.length > keptAtMost) await this.#report(name, kept.shift()!);
    }
    for (const call of kept) await this.#report(name, call);
  }

  async #lease(dialer: Started): Promise<LeasedCall[]> {
    const now = this.#interleaving.now + this.#chance.oneOf([-clockError, 0, clockError]);
    const request = { limit: 1 + this.#chance.below(4), leaseSeconds: this.#chance.oneOf([10, 10, 30]) };
    const task = this.#chance.happens(0.5) ? this.#task : undefined;
    const calls = (await leaseFrom(dialer, task, now, request).catch(tolerate)) ?? [];
    for (const call of calls) this.#inHand.take(call, this.#interleaving.now);
    return calls;
  }

  async #report(name: string, call: LeasedCall): Promise<void> {
    const outcome = this.#chance.oneOf<Outcome>(['success', 'success', 'failed', 'noAnswer']);
    this.#inHand.giveBack(call);
    await reportAll(this.#started(name), [call], outcome, this.#interleaving.now, 1).catch(tolerate);
  }

  async #release({ dialer }: Started, call: LeasedCall): Promise<void> {
    this.#inHand.giveBack(call);
    await dialer.release(call.callId, this.#interleaving.now).catch(tolerate);
  }

  async #operate(name: string): Promise<void> {
    for (let turn = 0; turn < turns.operator; turn++) {
      const operator = this.#started(name);
      const seqs = await seqsIn(operator.database, this.#task);
      const [one, other] = [this.#chance.oneOf(seqs), this.#chance.oneOf(seqs)];
      const fate = this.#chance.fraction();
      if (fate < 0.45 && seqs.length > 1) await this.#remove(operator, one);
      else if (fate < 0.6 || seqs.length === 0) await this.#add(operator);
      else if (fate < 0.9) await this.#recall(operator, [...new Set([one, other])]);
      else await this.#recall(operator);
    }
  }

  async #remove({ contacts }: Started, seq: number): Promise<void> {
    const { dataSourceId } = this.#task;
    await contacts.remove(dataSourceId, contactId(dataSourceId, seq)).catch(tolerate);
  }

  async #add({ contacts }: Started): Promise<void> {
    const contact = { phoneNumber: this.#newPhone(), fields: {} };
    await contacts.add(this.#task.dataSourceId, contact, this.#interleaving.now).catch(tolerate);
  }

  /** All that failed when no contacts are named. */
  async #recall({ dialer }: Started, seqs: readonly number[] = []): Promise<void> {
    const contactIds = seqs.map((seq) => contactId(this.#task.dataSourceId, seq));
    const recall = { contactIds, priority: 1 + this.#chance.below(5) };
    this.#recallsUnderWay++;
    await dialer.recall(this.#task.id, recall, this.#interleaving.now).catch(tolerate);
    this.#recallsUnderWay--;
  }

  async #import(name: string): Promise<void> {
    const { dataSourceId } = this.#task;
    for (let turn = 0; turn < turns.importer; turn++) {
      const imports = new Imports(this.#started(name).database);
      const importId = `import${turn}`;
      const { now } = this.#interleaving;
      const file = { objectKey: importId, fileName: 'contacts.csv', fileSize: 10 };
      await imports.create({ importId, dataSourceId, ...file, createTime: now });
      const claim = await imports.begin(dataSourceId, importId, { runner: name, now, holdMs: hour });
      const rows = Array.from({ length: 1 + this.#chance.below(3) }, (_, at) => ({
        line: at + 2,
        phoneNumber: this.#newPhone(),
        fields: {},
      }));
      await placeAndCommit(imports, claim.import, { rows, importCount: rows.length }, this.#interleaving.now);
    }
  }

  /** Begun anew for each turn, so that none is dead for good and the cursor moves in strides of any length. */
  #started(name: string) {
    const database = new SteppedDatabase(this.#table, this.#interleaving, name);
    return { database, ...aService(database, 'UTC', 1 + this.#chance.below(4)) };
  }

  #newPhone = () => String(13_900_000_000 + this.#phones++);
}

type Started = ReturnType<typeof aService> & { database: SteppedDatabase };

const seqsIn = async (database: Database, { dataSourceId }: Task): Promise<number[]> => {
  const items = await database.queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.contactPartition(dataSourceId, 0) },
  });
  return items.map(({ sk }) => Number(sk));
};

/** One process alone calls whoever is left, and those once more that failed; the roster tells it of the task. */
const finish = async (database: Database, task: Task, begin: number, check: () => Promise<void>) => {
  const service = aService(database, 'UTC', 3);
  await service.dialer.recall(task.id, { priority: 3 }, begin).catch(tolerate);
  for (let now = begin; now < begin + 30 * hour; now += hour) {
    const { status: current } = await service.tasks.find(task.id);
    if (current !== status.running) return;
    await reportAll(service, await leaseFrom(service, undefined, now, { limit: 20 }), 'success', now);
    await check();
  }
};

const interleave = async (table: OpenTable, interleaving: Interleaving): Promise<void> => {
  const { chance } = interleaving;
  const { database } = table;
  const task = await aRunningTask(database, aService(database), {
    contactCount: 2 + chance.below(9),
    maxDialCount: 1 + chance.below(2),
    callInterval: chance.oneOf([0, 3]),
  });
  const processes = new Processes(table, task, interleaving);
  const invariants = new DialingInvariants(database, task);
  const check = () => invariants.check(interleaving.now, processes.isRecalled);
  await interleaving.run(processes.begin(), check);
  await check();
  await finish(database, task, interleaving.now + hour, check);
  await invariants.checkEnd();
};

const timeout = 60_000 + runs * 10_000;

it('holds whatever the order in which the calls of many processes reach the table', { timeout }, async () => {
  // Otherwise the loop would end at once, and the test pass.
  expect(firstSeed, 'SEED').toSatisfy(Number.isSafeInteger);
  expect(runs, 'DIALING_INTERLEAVINGS').toBeGreaterThan(0);
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const table = await engines[0]!.open();
    const interleaving = new Interleaving(new Chance(seed));
    const random = vi.spyOn(Math, 'random').mockImplementation(interleaving.chance.fraction);
    // Real time plays no part: how long a process waits, the interleaving decides.
    const backoff = vi.spyOn(timers, 'setTimeout').mockImplementation(async () => undefined as never);
    try {
      await interleave(table, interleaving);
    } catch (error) {
      const repeat = `SEED=${seed} DIALING_INTERLEAVINGS=1`;
      throw new Error(`with ${repeat}: ${error}\nThe last calls:\n${interleaving.lastCalls}`, {
        cause: error,
      });
    } finally {
      random.mockRestore();
      backoff.mockRestore();
      await table.close();
    }
  }
});
