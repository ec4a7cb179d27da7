import type { Command } from '../../../local/dynamodb/embedded-client.ts';
import { audit, auditPace } from './audit.ts';
import { aCampaign, operationsIn } from './campaign.ts';
import { conditionsIn, withoutCondition } from './conditions.ts';
import { effectsOf } from './effects.ts';
import { FaultProcess } from './fault-process.ts';
import { finish } from './finish.ts';
import { madeOnce, type Run } from './scenario.ts';
import { type Snapshot, World } from './world.ts';

const campaign = madeOnce(aCampaign);

/** What is seen of two operations: their answers, and what they left. */
type Outcome = string;

const statusOf = async (run: Run, process: FaultProcess, world: World): Promise<number> =>
  (await run(process, world))?.status ?? 200;

/** @throws when something does not add up */
const outcomeOf = async (world: World, answers: readonly number[]): Promise<Outcome> => {
  const effects = effectsOf(world.items);
  auditPace(world.items, world.clock.now());
  await finish({} as never, new FaultProcess(world), world);
  await audit(world);
  // Ids are drawn by lot, and items lie in their order.
  const byName = (all: object) => Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([answers, byName(effects.dataSources), byName(effects.tasks), effects.webhooks]);
};

const separator = ' < ';

/** Where an operation sets a condition: its call, from 1. */
type Setting = { slow: string; nth: number };

/** Pairs of operations in one world, one of which overtakes the other: `slow < fast`. */
export class Overtaking {
  readonly #snapshot: Snapshot;
  readonly #operations: Readonly<Record<string, Run>>;
  readonly #serial = new Map<string, Promise<Outcome[]>>();
  #commands: Promise<Map<string, Command[]>> | undefined;

  private constructor(snapshot: Snapshot, operations: Record<string, Run>) {
    this.#snapshot = snapshot;
    this.#operations = operations;
  }

  static async open(): Promise<Overtaking> {
    let operations: Record<string, Run> = {};
    const { snapshot } = await campaign((made) => {
      operations = operationsIn(made);
      return async () => undefined;
    });
    return new Overtaking(snapshot, operations);
  }

  /** Every condition that the operations set, and where. */
  async #conditions(): Promise<Map<string, Setting[]>> {
    const conditions = new Map<string, Setting[]>();
    for (const [slow, commands] of await this.#allCommands()) {
      for (const [i, command] of commands.entries()) {
        for (const { condition } of conditionsIn(command))
          conditions.set(condition, [...(conditions.get(condition) ?? []), { slow, nth: i + 1 }]);
      }
    }
    return conditions;
  }

  /**
   * Whether the pair shows what the condition is for: it does harm without it, and none with it.
   */
  async isProof(condition: string, pair: string): Promise<boolean> {
    const [slow = '', fast = ''] = pair.split(separator);
    const settings = (await this.#conditions()).get(condition) ?? [];
    const setting = settings.find((each) => each.slow === slow);
    if (setting === undefined) return false;
    const serial = await this.#bothOrders(slow, fast);
    /** They come to what neither order comes to, or what is left does not add up. */
    const isHarmed = (without?: string) =>
      this.#overtaken(slow, fast, setting.nth, without).then(
        (outcome) => !serial.includes(outcome),
        () => true,
      );
    return (await isHarmed(condition)) && !(await isHarmed());
  }

  /** What each operation sends when nothing overtakes it. */
  #allCommands(): Promise<Map<string, Command[]>> {
    this.#commands ??= (async () => {
      const all = new Map<string, Command[]>();
      for (const name of Object.keys(this.#operations)) all.set(name, await this.#commandsOf(name));
      return all;
    })();
    return this.#commands;
  }

  #commandsOf(name: string): Promise<Command[]> {
    return this.#inWorld(async (world) => {
      const commands: Command[] = [];
      const note = (command: Command) => {
        commands.push(command);
        return command;
      };
      await this.#operations[name]!(new FaultProcess(world, undefined, note), world);
      return commands;
    });
  }

  /** No outcome at all where what is left does not add up: such a pair proves nothing. */
  #bothOrders(slow: string, fast: string): Promise<Outcome[]> {
    const name = `${slow}${separator}${fast}`;
    const known = this.#serial.get(name);
    if (known !== undefined) return known;
    const both = [this.#inOrder([slow, fast]), this.#inOrder([fast, slow], true)];
    const found = Promise.all(both.map((each) => each.catch(() => '')));
    this.#serial.set(name, found);
    return found;
  }

  /** The answers of the slow operation come first in an outcome. */
  #inOrder(names: readonly string[], isTurned = false): Promise<Outcome> {
    return this.#inWorld(async (world) => {
      const process = new FaultProcess(world);
      const answers: number[] = [];
      for (const name of names) answers.push(await statusOf(this.#operations[name]!, process, world));
      return outcomeOf(world, isTurned ? answers.reverse() : answers);
    });
  }

  /**
   * `fast` runs from beginning to end just before the nth call of `slow`, which has lost a
   * condition.
   */
  #overtaken(slow: string, fast: string, nth: number, without?: string): Promise<Outcome> {
    return this.#inWorld(async (world) => {
      let [calls, overtaking] = [0, 0];
      const watch = async (command: Command) => {
        if (++calls === nth)
          overtaking = await statusOf(this.#operations[fast]!, new FaultProcess(world), world);
        return withoutCondition(command, without);
      };
      const process = new FaultProcess(world, undefined, watch);
      const answer = await statusOf(this.#operations[slow]!, process, world);
      return outcomeOf(world, [answer, overtaking]);
    });
  }

  async #inWorld<T>(use: (world: World) => Promise<T>): Promise<T> {
    const world = await World.open(this.#snapshot);
    world.limits = { ...world.limits, MAX_CALLS_PER_NUMBER_PER_DAY: '1' };
    try {
      return await use(world);
    } finally {
      await world.close();
    }
  }
}
