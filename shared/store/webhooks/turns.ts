import type { Instant } from '../../domain/time.ts';
import type { Progress } from '../../domain/webhooks/progress.ts';
import {
  type Database,
  type Item,
  ifUnchanged,
  keys,
  partitionRange,
  type TransactItem,
  unlessLost,
} from '../table/index.ts';

/** The exclusive right to deliver to a webhook, with the progress of its deliveries. */
export type Turn = { webhookId: string; progress: Progress; token: number };

const newToken = () => Math.floor(Math.random() * 2 ** 48);

/** `until`: when the turn ends by itself; 0: nobody has it. */
export const itemOfProgress = (id: string, progress: Progress, until: Instant = 0, v = newToken()): Item => ({
  ...keys.webhookTurn(id),
  progress,
  until,
  v,
});

/**
 * One process at a time delivers to a webhook: the process that has its turn. Each write of the progress asks for the token
 * of the write before and changes it, so a process that lost its turn writes nothing any more. The turn of a process that died
 * ends by itself. Then the next process repeats what was not saved.
 */
export class Turns {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `takesOver`: no other process is at work. `undefined`: another process has the turn, or there is no such webhook. */
  async take(id: string, now: Instant, until: Instant, takesOver: boolean): Promise<Turn | undefined> {
    const item = await this.#database.get(keys.webhookTurn(id));
    if (item === undefined || ((item.until as Instant) > now && !takesOver)) return undefined;
    const turn = { webhookId: id, progress: item.progress as Progress, token: item.v as number };
    return unlessLost(() => this.save(turn, until));
  }

  /** Saves the progress, together with further writes. @throws Lost when the turn was lost */
  async save(turn: Turn, until: Instant, also: readonly TransactItem[] = []): Promise<Turn> {
    const { webhookId, progress, token } = turn;
    const next = newToken();
    const item = itemOfProgress(webhookId, progress, until, next);
    if (also.length === 0) await this.#database.put(item, ifUnchanged(token));
    else await this.#database.transact([this.#database.putOf(item, ifUnchanged(token)), ...also]);
    return { ...turn, token: next };
  }

  /** Saves the progress. From now on another process may take the turn. @throws Lost when the turn was lost */
  async end(turn: Turn): Promise<void> {
    await this.save(turn, 0);
  }

  async progressOf(id: string): Promise<Progress | undefined> {
    return (await this.#database.get(keys.webhookTurn(id)))?.progress as Progress | undefined;
  }

  /** Of all webhooks. */
  async all(): Promise<Map<string, Progress>> {
    const items = await this.#database.queryAll(partitionRange(keys.webhookTurns));
    return new Map(items.map(({ sk, progress }) => [sk, progress as Progress]));
  }
}
