import type { Database } from './database.ts';
import { allOf, anyOf, type Condition } from './expressions.ts';
import type { Item, Key } from './keys.ts';
import { tryWrite, unlessLost } from './optimistic.ts';

/** Owners known to be dead, told by how their ids begin. Their claims are free before they expire. */
type DeadOwners = 'all' | { beginWith: string } | { doNotBeginWith: string };

/** Who claims something, and until when, in epoch milliseconds. */
export type ClaimRequest = {
  owner: string;
  until: number;
  now: number;
  dead?: DeadOwners | undefined;
};

/**
 * A claim is the exclusive right to work on something. It lies in two attributes of an item: the owner, and the
 * time at which the claim expires by itself. The work of a process that died is free from then on. A late owner
 * does no harm if each of its writes asks for `ifOwnedBy`.
 *
 * The owner is the id of a process or a run. Where one owner saves again and again, it may be a token that each write
 * changes, so that a write that arrives late undoes nothing. The agenda does the same with its own two attributes:
 * the due time of an entry and its token.
 */
export class ClaimAttributes {
  readonly #names: Record<'#claimOwner' | '#claimUntil', string>;

  /** The names of the two attributes. */
  constructor(owner: string, until: string) {
    this.#names = { '#claimOwner': owner, '#claimUntil': until };
  }

  /** No claim, an expired one, that of a dead owner, or the owner's own: the answer to its first request got lost. */
  ifFree({ owner, now, dead }: ClaimRequest): Condition {
    if (dead === 'all') return {};
    const free = {
      ConditionExpression:
        'attribute_not_exists(#claimUntil) OR #claimUntil <= :claimNow OR #claimOwner = :claimOwner',
      ExpressionAttributeNames: this.#names,
      ExpressionAttributeValues: { ':claimOwner': owner, ':claimNow': now },
    };
    return dead === undefined ? free : anyOf(free, ownedByDead(dead));
  }

  ifOwnedBy(owner: string | number): Condition {
    return {
      ConditionExpression: '#claimOwner = :claimOwner',
      ExpressionAttributeNames: { '#claimOwner': this.#names['#claimOwner'] },
      ExpressionAttributeValues: { ':claimOwner': owner },
    };
  }

  /** Writes an item with the claim in it. Answers whether the owner has the claim now. */
  put(
    database: Database,
    item: Item,
    request: ClaimRequest,
    condition = this.ifFree(request),
  ): Promise<boolean> {
    const { '#claimOwner': owner, '#claimUntil': until } = this.#names;
    const claimed = { ...item, [owner]: request.owner, [until]: request.until };
    return tryWrite(() => database.put(claimed, condition));
  }

  /** Deletes an item that was written for its claim, unless the owner has lost the claim. */
  async release(database: Database, key: Key, owner: string, also: Condition = {}): Promise<void> {
    await unlessLost(() => database.delete(key, allOf(this.ifOwnedBy(owner), also)));
  }
}

const ownedByDead = (dead: Exclude<DeadOwners, 'all'>): Condition =>
  'beginWith' in dead
    ? {
        ConditionExpression: 'begins_with(#claimOwner, :dead)',
        ExpressionAttributeValues: { ':dead': dead.beginWith },
      }
    : {
        ConditionExpression: 'NOT begins_with(#claimOwner, :dead)',
        ExpressionAttributeValues: { ':dead': dead.doNotBeginWith },
      };
