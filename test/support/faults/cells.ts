import { expect } from 'vitest';
import { concurrently } from '../../../shared/store/concurrently.ts';
import type { Answer } from '../answers.ts';
import { audit } from './audit.ts';
import { type Effects, effectsOf } from './effects.ts';
import { faults, type Plan } from './fault-line.ts';
import { FaultProcess } from './fault-process.ts';
import type { FaultRow } from './fault-table.ts';
import { finish } from './finish.ts';
import type { Scenario } from './scenario.ts';
import { type Snapshot, World } from './world.ts';

const cellsAtOnce = 8;

type Run = Awaited<ReturnType<Scenario['prepare']>>;
type Told = { answer: Answer | undefined } | { error: unknown } | 'no answer';
/** What a run came to: the answer that the client ends up with, and the world at once and in the end. */
type Outcome = { answer: unknown; atOnce: Effects; inTheEnd: Effects; told: unknown };

const told = async (run: Run, process: FaultProcess, world: World): Promise<Told> => {
  const acted = run(process, world).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  return Promise.race([acted, process.line.ended.then(() => 'no answer' as const)]);
};

/** Every answer is an envelope, whatever became of the calls below. */
const expectWhole = ({ status, headers, body }: Answer): void => {
  if (headers.get('content-disposition') !== null) return;
  expect(Object.keys(body)).toEqual(['code', 'message', 'data']);
  expect(status).toBe(body.code === 0 ? 200 : body.code);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toBe('request-of-a-test');
  if (status >= 500) {
    expect(body.message).toMatch(/^internal error/);
    expect(body.data).toBeNull();
  }
};

/** A client tries again what was not answered, and what it is told to. */
const isToRetry = (result: Told): boolean => {
  if (result === 'no answer' || 'error' in result) return true;
  const { status = 200, body } = result.answer ?? {};
  return status >= 500 || status === 429 || (status === 409 && /still running/.test(body?.message ?? ''));
};

const tries = 5;

/** Ids, and what is made of them and of the hour, differ from run to run. */
const normal = (answer: Answer | undefined) => {
  if (answer === undefined) return undefined;
  const text = JSON.stringify({ status: answer.status, data: answer.body.data });
  return text
    .replaceAll(/"uploadUrl":"[^"]*"/g, '"uploadUrl":"…"')
    .replaceAll(/[0-9a-hjkmnp-tv-z]{16}(?:-?[0-9a-z]+)*/g, 'ID');
};

const eventsIn = (world: World) => [...new Set(world.published.map((each) => JSON.stringify(each)))].sort();

/** A file that was imported twice has its contacts once, perhaps at the second one's places. */
const reduced = (effects: Effects, leftOut: Scenario['leftOut'] = []): Effects => {
  const copy = structuredClone(effects);
  if (leftOut.includes('history')) for (const task of Object.values(copy.tasks)) task.history = [];
  if (!leftOut.includes('imports')) return copy;
  for (const source of Object.values(copy.dataSources)) {
    source.imports = [];
    for (const contact of source.contacts) contact.sk = '';
  }
  return copy;
};

export class Cells {
  readonly #scenario: Scenario;
  readonly #run: Run;
  readonly #snapshot: Snapshot;
  readonly #clean: Outcome;
  /** The calls to AWS, in their order. */
  readonly calls: readonly string[];

  private constructor(
    scenario: Scenario,
    run: Run,
    snapshot: Snapshot,
    clean: Outcome,
    calls: readonly string[],
  ) {
    this.#scenario = scenario;
    this.#run = run;
    this.#snapshot = snapshot;
    this.#clean = clean;
    this.calls = calls;
  }

  static async of(scenario: Scenario): Promise<Cells> {
    const ready = await World.open();
    const run = await scenario.prepare(new FaultProcess(ready), ready);
    const snapshot = await ready.snapshot();
    await ready.close();
    const world = await World.open(snapshot);
    const process = new FaultProcess(world);
    process.line.begin();
    const result = await told(run, process, world);
    if (result === 'no answer' || 'error' in result) throw new Error('a clean run failed', { cause: result });
    if (result.answer !== undefined) expect(result.answer.status, result.answer.body.message).toBe(200);
    const calls = [...process.line.calls];
    const clean = await outcomeOf(scenario, process, world, result.answer);
    await world.close();
    return new Cells(scenario, run, snapshot, clean, calls);
  }

  /** One run with that fault and the client's retries, against the clean one; whether it could happen at all. */
  async check(plan: Plan): Promise<'holds' | 'does not apply'> {
    const world = await World.open(this.#snapshot);
    try {
      let process = new FaultProcess(world);
      process.line.begin(plan);
      let result = await told(this.#run, process, world);
      const { outcome } = process.line;
      if (outcome === 'does not apply') return 'does not apply';
      expect(outcome, 'the call that was to go wrong').toBe('met');
      for (let i = 0; i < tries && isToRetry(result); i++) {
        if (typeof result === 'object' && 'answer' in result && result.answer) expectWhole(result.answer);
        if (process.line.isOver) process = new FaultProcess(world);
        result = await told(this.#run, process, world);
      }
      if (result === 'no answer' || 'error' in result)
        throw new Error('the retry failed', { cause: result === 'no answer' ? result : result.error });
      if (this.#scenario.isExact) await this.#expectRepeatable(process, world, result.answer);
      this.#compare(await outcomeOf(this.#scenario, process, world, result.answer), result.answer);
      return 'holds';
    } finally {
      await world.close();
    }
  }

  /** Sent once more, it is answered the same. */
  async #expectRepeatable(process: FaultProcess, world: World, answer: Answer | undefined): Promise<void> {
    const again = await told(this.#run, process, world);
    if (again === 'no answer' || 'error' in again) throw new Error('sent once more it failed');
    expect(normal(again.answer), 'the answer to the same again').toEqual(normal(answer));
  }

  #compare(found: Outcome, answer: Answer | undefined): void {
    const { isExact, again = [], leftOut = [] } = this.#scenario;
    const clean = this.#clean;
    // A lease that broke off may have taken others than a clean one; it is kept to what it answered.
    const isFree = leftOut.includes('leases');
    if (!isFree && (isExact || !again.includes(answer?.status ?? 0)))
      expect(found.answer).toEqual(clean.answer);
    if (isExact && !isFree) expect(found.atOnce).toEqual(clean.atOnce);
    expect(reduced(found.inTheEnd, leftOut)).toEqual(reduced(clean.inTheEnd, leftOut));
    expect(found.told).toEqual(clean.told);
  }

  /** Each call and kind of failure that is asked for; the others are told as left to the soak. */
  async checkAll(plans: readonly Plan[]): Promise<FaultRow> {
    const kinds = Object.fromEntries(faults.map((fault) => [fault, { held: 0, notApplicable: 0 }]));
    const failures: string[] = [];
    await concurrently(plans, cellsAtOnce, async (plan) => {
      try {
        const held = (await this.check(plan)) === 'holds';
        kinds[plan.fault]![held ? 'held' : 'notApplicable']++;
      } catch (error) {
        failures.push(`call ${plan.call} (${this.calls[plan.call - 1]}), ${plan.fault}: ${reasonOf(error)}`);
      }
    });
    expect(failures.sort().join('\n\n'), `calls: ${this.calls.join(', ')}`).toBe('');
    return { name: this.#scenario.name, calls: this.calls.length, cells: plans.length, kinds };
  }

  /** All of them. */
  get plans(): Plan[] {
    return this.calls.flatMap((_, i) => faults.map((fault) => ({ call: i + 1, fault })));
  }

  /** One kind for each call, another with each; a conflict is no matter of most calls and comes on top of it. */
  rotated(turn: number): Plan[] {
    const others = faults.filter((fault) => fault !== 'conflict');
    const plans: Plan[] = this.calls.map((_, i) => ({
      call: i + 1,
      fault: others[(turn + i) % others.length]!,
    }));
    const conflicts = this.calls.flatMap((name, i): Plan[] =>
      isTransaction(name) ? [{ call: i + 1, fault: 'conflict' }] : [],
    );
    return [...plans, ...conflicts];
  }
}

const isTransaction = (name: string) => name === 'TransactWriteItems';

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause === undefined
    ? message
    : `${message}: ${cause instanceof Error ? cause.message : String(cause)}`;
};

const outcomeOf = async (
  scenario: Scenario,
  process: FaultProcess,
  world: World,
  answer: Answer | undefined,
): Promise<Outcome> => {
  if (answer !== undefined) expectWhole(answer);
  const atOnce = effectsOf(world.items);
  await finish(scenario, process, world);
  audit(world.items);
  return { answer: normal(answer), atOnce, inTheEnd: effectsOf(world.items), told: eventsIn(world) };
};
