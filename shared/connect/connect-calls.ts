import type { Database } from '../platform/table/database.ts';
import { ifPresent, partitionRange } from '../platform/table/expressions.ts';
import { type Item, keys } from '../platform/table/keys.ts';
import { ClaimAttributes, unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';

/** A call that Amazon Connect was asked to make and whose end is not known yet. */
export type ConnectCall = {
  callId: string;
  /** Connect's own id. Unknown while the request is under way, or if its answer was lost. */
  connectContactId: string | undefined;
  begun: Instant;
  /** When the lease expires. The call no longer counts from then on. */
  until: Instant;
};

const itemOf = ({ callId, connectContactId, begun, until }: ConnectCall): Item => ({
  ...keys.connectCall(callId),
  contact: connectContactId,
  begun,
  until,
});

const claims = new ClaimAttributes('runner', 'until');

/**
 * The calls under way in Amazon Connect. They are few, because their number is limited, and lie
 * below one key.
 */
export class ConnectCalls {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async all(): Promise<ConnectCall[]> {
    const items = await this.#database.queryAll(partitionRange(keys.connectCalls));
    return items.map(({ sk, contact, begun, until }) => ({
      callId: sk,
      connectContactId: contact as string | undefined,
      begun: begun as Instant,
      until: until as Instant,
    }));
  }

  /**
   * Written before the request to Connect. So a call that was never made may be counted, but no
   * call is missed.
   */
  async begin(call: ConnectCall): Promise<void> {
    await this.#database.put(itemOf(call));
  }

  /** Adds Connect's id. A call whose end was reported before stays deleted. */
  async identify(call: ConnectCall): Promise<void> {
    await unlessLost(() => this.#database.put(itemOf(call), ifPresent));
  }

  async end(callId: string): Promise<void> {
    await this.#database.delete(keys.connectCall(callId));
  }

  /**
   * Only one run at a time may start calls, so that no more calls than allowed are started.
   * @returns whether this run of the pump may start calls now
   */
  claim(owner: string, now: Instant, until: Instant): Promise<boolean> {
    return claims.put(this.#database, keys.connectClaim, { owner, now, until });
  }

  release(owner: string): Promise<void> {
    return claims.release(this.#database, keys.connectClaim, owner);
  }
}
