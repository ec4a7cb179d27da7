import { expect } from 'vitest';
import { concurrently } from '../../../shared/platform/table/concurrency.ts';
import { isInSample } from '../run/extent.ts';
import type { Answer } from '../service/answers.ts';
import { audit, auditPace } from './audit.ts';
import { type Effects, effectsOf } from './effects.ts';
import { faults, type Plan } from './fault-line.ts';
import { FaultProcess } from './fault-process.ts';
import type { FaultRow } from './fault-table.ts';
import { finish } from './finish.ts';
import type { Ready, Rival, Run, Scenario } from './scenario.ts';
import { stateOf } from './state.ts';
import { World } from './world.ts';

const cellsAtOnce = 8;
/** `npm test` tries one call and kind of failure of these. */
const sampled = 17;

type Told = { answer: Answer | undefined } | { error: unknown } | 'no answer';
/**
 * How it is troubled: at one of its calls, by a rival or a fault, or by being sent many times at
 * once.
 */
type Trouble = (Plan & { rival?: Rival }) | { times: number };

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

const isStillRunning = (result: Told) =>
  typeof result === 'object' &&
  'answer' in result &&
  result.answer?.status === 409 &&
  /still running/.test(result.answer.body.message);

/** A client tries again what was not answered, and what it is told to. */
const isToRetry = (result: Told): boolean => {
  if (result === 'no answer' || 'error' in result) return true;
  const { status = 200, body } = result.answer ?? {};
  const { results = [] } = (body?.data ?? {}) as { results?: { code: number }[] };
  if (results.some(({ code }) => code >= 500 || code === 429)) return true;
  return status >= 500 || status === 429 || isStillRunning(result);
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
 * What was done twice stands twice in the history. A file that was imported twice has its contacts
 * once, perhaps at the second one's conditions, and its rows count in one of the two imports.
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
  readonly #ready: Ready;
  readonly #clean: { answer: unknown; end: End };
  /**
   * What worlds came to. Those that agree in everything come to the same: one of them is seen to
   * its end.
   */
  readonly #ends = new Map<string, Promise<End>>();
  /** The calls to AWS, in their order. */
  readonly calls: readonly string[];

  private constructor(
    scenario: Scenario,
    ready: Ready,
    clean: { answer: unknown; end: End },
    calls: readonly string[],
  ) {
    this.#scenario = scenario;
    this.#ready = ready;
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

  /**
   * One run in that trouble with the client's retries, against the clean one; whether it could
   * happen at all.
   */
  async check(trouble: Trouble): Promise<'holds' | 'does not apply'> {
    const world = await World.open(this.#ready.snapshot);
    try {
      return await ('times' in trouble
        ? this.#checkAtOnce(world, trouble.times)
        : this.#checkCall(world, trouble));
    } finally {
      await world.close();
    }
  }

  async #checkCall(
    world: World,
    { rival, ...plan }: Plan & { rival?: Rival },
  ): Promise<'holds' | 'does not apply'> {
    const process = new FaultProcess(world);
    process.line.begin(plan, async () => rival?.run(new FaultProcess(world), world));
    const result = await told(this.#ready.run, process, world);
    const { outcome } = process.line;
    if (outcome === 'does not apply') return 'does not apply';
    expect(outcome, 'the call that was to go wrong').toBe('met');
    await this.#settle(world, process, result, rival);
    return 'holds';
  }

  /** One is carried out; the others get its answer, or are told to wait for it. */
  async #checkAtOnce(world: World, times: number): Promise<'holds'> {
    const process = new FaultProcess(world);
    const all = await Promise.all(Array.from({ length: times }, () => told(this.#ready.run, process, world)));
    const answers = all.flatMap((each) =>
      typeof each === 'object' && 'answer' in each && each.answer !== undefined && !isStillRunning(each)
        ? [each.answer]
        : [],
    );
    const replayed = 'idempotent-replayed';
    if (this.#scenario.isExact) {
      expect(answers.filter(({ headers }) => headers.get(replayed) === null)).toHaveLength(1);
      for (const { status, body } of answers)
        expect({ status, body }).toEqual({ status: answers[0]?.status, body: answers[0]?.body });
    }
    await this.#settle(world, process, all.find(isToRetry) ?? all[0]!);
    return 'holds';
  }

  /** The client tries again until it knows, and what its request came to is compared. */
  async #settle(world: World, first: FaultProcess, begun: Told, rival?: Rival): Promise<void> {
    let [process, result] = [first, begun];
    for (let i = 0; i < tries && isToRetry(result); i++) {
      if (typeof result === 'object' && 'answer' in result && result.answer) expectWhole(result.answer);
      if (isStillRunning(result)) world.clock.advance(this.#scenario.patienceSeconds ?? 0);
      if (process.line.isOver) process = new FaultProcess(world);
      result = await told(this.#ready.run, process, world);
    }
    if (result === 'no answer' || 'error' in result)
      throw new Error('the retry failed', { cause: result === 'no answer' ? result : result.error });
    if (this.#scenario.isExact) await this.#expectRepeatable(process, world, result.answer);
    if (result.answer !== undefined) expectWhole(result.answer);
    const end = await this.#endOf(process, world);
    if (rival === undefined) this.#compare(result.answer, end);
    else rival.hold(end.inTheEnd, this.#clean.end.inTheEnd);
  }

  /** Sent once more, it is answered the same. */
  async #expectRepeatable(process: FaultProcess, world: World, answer: Answer | undefined): Promise<void> {
    const again = await told(this.#ready.run, process, world);
    if (again === 'no answer' || 'error' in again) throw new Error('sent once more it failed');
    expect(normal(again.answer), 'the answer to the same again').toEqual(normal(answer));
  }

  async #endOf(process: FaultProcess, world: World): Promise<End> {
    const state = await stateOf(world, this.#ready.snapshot);
    const known = this.#ends.get(state) ?? endOf(this.#scenario, process, world);
    this.#ends.set(state, known);
    return known;
  }

  #compare(answer: Answer | undefined, found: End): void {
    const { isExact, again = [], leftOut = [] } = this.#scenario;
    const clean = this.#clean;
    // A lease that broke off may have taken others than a clean one; it is kept to what it
    // answered.
    const isFree = leftOut.includes('leases');
    if (!isFree && (isExact || !again.includes(answer?.status ?? 0)))
      expect(normal(answer)).toEqual(clean.answer);
    if (isExact && !isFree) expect(found.atOnce).toEqual(clean.end.atOnce);
    expect(reduced(found.inTheEnd, leftOut)).toEqual(reduced(clean.end.inTheEnd, leftOut));
    expect(found.told).toEqual(clean.end.told);
  }

  /** Each trouble that is asked for. */
  async checkAll(troubles: readonly Trouble[]): Promise<FaultRow> {
    const row = { name: this.#scenario.name, calls: this.calls.length, held: 0, notApplicable: 0 };
    const failures: string[] = [];
    await concurrently(troubles, cellsAtOnce, async (trouble) => {
      try {
        row[(await this.check(trouble)) === 'holds' ? 'held' : 'notApplicable']++;
      } catch (error) {
        failures.push(`${this.#nameOf(trouble)}: ${reasonOf(error)}`);
      }
    });
    expect(failures.sort().join('\n\n'), `calls: ${this.calls.join(', ')}`).toBe('');
    return row;
  }

  #nameOf(trouble: Trouble): string {
    if ('times' in trouble) return `${trouble.times} at once`;
    const what = trouble.rival === undefined ? trouble.fault : `overtaken by ${trouble.rival.name}`;
    return `call ${trouble.call} (${this.calls[trouble.call - 1]}), ${what}`;
  }

  /** All of them, or a sample in `npm test`. */
  troubles(turn: number): Trouble[] {
    const { faults: kinds = faults, atOnce } = this.#scenario;
    const rivals = this.#ready.rivals ?? [];
    const atCalls = this.calls.flatMap((_, i) => [
      ...kinds.map((fault) => ({ call: i + 1, fault })),
      ...rivals.map((rival) => ({ call: i + 1, fault: 'overtaken' as const, rival })),
    ]);
    return [
      ...(atOnce === undefined ? [] : [{ times: atOnce }]),
      ...atCalls.filter((_, i) => isInSample(turn + i, sampled)),
    ];
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
  await audit(world);
  return { atOnce, inTheEnd: effectsOf(world.items), told: eventsIn(world) };
};
