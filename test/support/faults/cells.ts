import { expect } from 'vitest';
import { concurrently } from '../../../shared/platform/table/index.ts';
import { isInSample } from '../run/extent.ts';
import type { Answer } from '../service/answers.ts';
import { audit, auditPace } from './audit.ts';
import { type Effects, effectsOf } from './effects.ts';
import { faults, type Plan } from './fault-line.ts';
import { FaultProcess } from './fault-process.ts';
import type { FaultRow } from './fault-table.ts';
import { finish } from './finish.ts';
import type { Ready, Run, Scenario } from './scenario.ts';
import { stateOf } from './state.ts';
import { type Snapshot, World } from './world.ts';

const cellsAtOnce = 8;
/** `npm test` tries one call and kind of failure of these. */
const sampled = 17;

type Told = { answer: Answer | undefined } | { error: unknown } | 'no answer';
/** What a world comes to: at once, and when all is ended that was begun. */
type End = { atOnce: Effects; inTheEnd: Effects; told: unknown };

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
  const { results = [] } = (body?.data ?? {}) as { results?: { code: number }[] };
  if (results.some(({ code }) => code >= 500 || code === 429)) return true;
  return status >= 500 || status === 429 || (status === 409 && /still running/.test(body?.message ?? ''));
};

const tries = 5;

/** Ids, and what is made of them and of the hour, differ from run to run. */
const normal = (answer: Answer | undefined) => {
  if (answer === undefined) return undefined;
  const text = JSON.stringify({ status: answer.status, data: answer.body.data });
  return text
    .replaceAll(/"uploadUrl":"[^"]*"/g, '"uploadUrl":"…"')
    .replaceAll(/whsec_[^"]*/g, 'SECRET')
    .replaceAll(/[0-9a-hjkmnp-tv-z]{16}(?:-?[0-9a-z]+)*/g, 'ID');
};

/** Told to the bus and to receivers, at least once. The ids of tests differ from run to run. */
const eventsIn = ({ published, received }: World) => {
  const sent = received.map((id) => (id.startsWith('test-') ? 'a test' : id));
  return [...new Set([...published.map((each) => JSON.stringify(each)), ...sent])].sort();
};

type Done = { operation: string; from: number; to: number };
/** The same operation as the one before, which found everything as it wants it. */
const isRepeated = ({ operation, from, to }: Done, i: number, all: readonly Done[]) =>
  operation === all[i - 1]?.operation && from === to;

/**
 * What was done twice stands twice in the history. A file that was imported twice has its contacts once, perhaps at
 * the second one's conditions, and its rows count in one of the two imports.
 */
const reduced = (effects: Effects, leftOut: Scenario['leftOut'] = []): Effects => {
  const copy = structuredClone(effects);
  for (const task of leftOut.includes('history') ? Object.values(copy.tasks) : [])
    task.history = (task.history as Done[]).filter((...each) => !isRepeated(...each));
  for (const source of leftOut.includes('imports') ? Object.values(copy.dataSources) : []) {
    const imports = source.imports as { successCount: number }[];
    source.imports = [imports.reduce((sum, { successCount }) => sum + successCount, 0)];
    for (const contact of source.contacts) contact.sk = '';
  }
  if (leftOut.includes('webhooks')) copy.webhooks = [];
  return copy;
};

export class Cells {
  readonly #scenario: Scenario;
  readonly #run: Run;
  readonly #snapshot: Snapshot;
  readonly #clean: { answer: unknown; end: End };
  /** What worlds came to. Those that agree in everything come to the same: one of them is seen to its end. */
  readonly #ends = new Map<string, Promise<End>>();
  /** The calls to AWS, in their order. */
  readonly calls: readonly string[];

  private constructor(
    scenario: Scenario,
    { run, snapshot }: Ready,
    clean: { answer: unknown; end: End },
    calls: readonly string[],
  ) {
    this.#scenario = scenario;
    this.#run = run;
    this.#snapshot = snapshot;
    this.#clean = clean;
    this.calls = calls;
  }

  static async of(scenario: Scenario): Promise<Cells> {
    const ready = await scenario.prepare();
    const world = await World.open(ready.snapshot);
    const process = new FaultProcess(world);
    process.line.begin();
    const result = await told(ready.run, process, world);
    if (result === 'no answer' || 'error' in result) throw new Error('a clean run failed', { cause: result });
    if (result.answer !== undefined) {
      expectWhole(result.answer);
      expect(result.answer.status, result.answer.body.message).toBe(200);
    }
    const calls = [...process.line.calls];
    const end = await endOf(scenario, process, world);
    await world.close();
    return new Cells(scenario, ready, { answer: normal(result.answer), end }, calls);
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
      if (result.answer !== undefined) expectWhole(result.answer);
      this.#compare(result.answer, await this.#endOf(process, world));
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

  async #endOf(process: FaultProcess, world: World): Promise<End> {
    const state = await stateOf(world, this.#snapshot);
    const known = this.#ends.get(state) ?? endOf(this.#scenario, process, world);
    this.#ends.set(state, known);
    return known;
  }

  #compare(answer: Answer | undefined, found: End): void {
    const { isExact, again = [], leftOut = [] } = this.#scenario;
    const clean = this.#clean;
    // A lease that broke off may have taken others than a clean one; it is kept to what it answered.
    const isFree = leftOut.includes('leases');
    if (!isFree && (isExact || !again.includes(answer?.status ?? 0)))
      expect(normal(answer)).toEqual(clean.answer);
    if (isExact && !isFree) expect(found.atOnce).toEqual(clean.end.atOnce);
    expect(reduced(found.inTheEnd, leftOut)).toEqual(reduced(clean.end.inTheEnd, leftOut));
    expect(found.told).toEqual(clean.end.told);
  }

  /** Each call and kind of failure that is asked for. */
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

  /** All of them, or a sample in `npm test`. */
  plans(turn: number): Plan[] {
    return this.calls
      .flatMap((_, i) => faults.map((fault) => ({ call: i + 1, fault })))
      .filter((_, i) => isInSample(turn + i, sampled));
  }
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause === undefined
    ? message
    : `${message}: ${cause instanceof Error ? cause.message : String(cause)}`;
};

const endOf = async (scenario: Scenario, process: FaultProcess, world: World): Promise<End> => {
  const atOnce = effectsOf(world.items);
  auditPace(world.items, world.clock.now());
  await finish(scenario, process, world);
  audit(world.items);
  auditPace(world.items, world.clock.now());
  return { atOnce, inTheEnd: effectsOf(world.items), told: eventsIn(world) };
};
