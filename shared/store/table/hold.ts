import type { Database, Item } from './database.ts';
import { allOf, anyOf, type Condition } from './expressions.ts';
import type { Key } from './keys.ts';
import { tryWrite, unlessLost } from './optimistic.ts';

/** Who holds something, until when, in epoch milliseconds. */
type Hold = { owner: string; until: number };

/** Owners known to be dead, told by how their ids begin. Their holds are free before they expire. */
type DeadOwners = 'all' | { beginWith: string } | { doNotBeginWith: string };

export type HoldRequest = Hold & { now: number; dead?: DeadOwners | undefined };

/**
 * A hold is the exclusive right to work on something. It lies in two attributes of an item: the owner, and the
 * time at which the hold expires by itself. The work of a process that died is free from then on. A late owner
 * does no harm if each of its writes asks for `ifHeldBy`.
 */
export class Holds {
  readonly #names: Record<'#holder' | '#heldUntil', string>;

  /** The names of the two attributes. */
  constructor(owner: string, until: string) {
    this.#names = { '#holder': owner, '#heldUntil': until };
  }

  /** No hold, an expired one, that of a dead owner, or the owner's own: the answer to its first request got lost. */
  ifFree({ owner, now, dead }: HoldRequest): Condition {
    if (dead === 'all') return {};
    const free = {
      ConditionExpression: 'attribute_not_exists(#heldUntil) OR #heldUntil <= :heldNow OR #holder = :holder',
      ExpressionAttributeNames: this.#names,
      ExpressionAttributeValues: { ':holder': owner, ':heldNow': now },
    };
    return dead === undefined ? free : anyOf(free, ownedBy(dead));
  }

  ifHeldBy(owner: string): Condition {
    return {
      ConditionExpression: '#holder = :holder',
      ExpressionAttributeNames: { '#holder': this.#names['#holder'] },
      ExpressionAttributeValues: { ':holder': owner },
    };
  }

  /** Writes an item with the hold in it. Answers whether the owner has the hold now. */
  take(
    database: Database,
    item: Item,
    request: HoldRequest,
    condition = this.ifFree(request),
  ): Promise<boolean> {
    const { '#holder': owner, '#heldUntil': until } = this.#names;
    const held = { ...item, [owner]: request.owner, [until]: request.until };
    return tryWrite(() => database.put(held, condition));
  }

  /** Deletes an item that was written for its hold, unless the owner has lost the hold. */
  async release(database: Database, key: Key, owner: string, also: Condition = {}): Promise<void> {
    await unlessLost(() => database.delete(key, allOf(this.ifHeldBy(owner), also)));
  }
}

const ownedBy = (dead: Exclude<DeadOwners, 'all'>): Condition =>
  'beginWith' in dead
    ? {
        ConditionExpression: 'begins_with(#holder, :dead)',
        ExpressionAttributeValues: { ':dead': dead.beginWith },
      }
    : {
        ConditionExpression: 'NOT begins_with(#holder, :dead)',
        ExpressionAttributeValues: { ':dead': dead.doNotBeginWith },
      };
