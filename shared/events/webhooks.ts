import { type EffectRecord, once, type RequestKey } from '../platform/requests/effects.ts';
import { notFound, ServiceError } from '../platform/rules/errors.ts';
import { isId } from '../platform/rules/names.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import { ifUnchanged, partitionRange } from '../platform/table/expressions.ts';
import { type Item, keys } from '../platform/table/keys.ts';
import { ClaimAttributes, optimistic, unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import { type DisabledReason, newProgress, type Progress } from './rules/progress.ts';
import type { EventCursor } from './rules/service-event.ts';
import {
  changeWebhook,
  disableWebhook,
  mostWebhooks,
  type Webhook,
  type WebhookChanges,
} from './rules/webhook.ts';

/** `version`: of the record. */
export type StoredWebhook = Webhook & { version: number };

const itemOf = ({ version, ...webhook }: StoredWebhook): Item => ({
  ...keys.webhook(webhook.id),
  ...Object.fromEntries(Object.entries(webhook).filter(([, value]) => value !== undefined)),
  version,
});

const webhookOf = ({ pk: _, sk: __, ...webhook }: Item) => webhook as unknown as StoredWebhook;

/** `since`: the time of the secret in the answer. */
type Added = { id: string; since: Instant };

const storedSecret = ({ secrets }: Webhook, since: Instant): string | null =>
  secrets.find((secret) => secret.since === since)?.text ?? null;

/**
 * The settings of all webhooks, with their secrets. A secret is stored here and nowhere else: the
 * record of a request with an `Idempotency-Key` has only the time of the secret.
 */
export class Webhooks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws notFound */
  async find(id: string): Promise<StoredWebhook> {
    const found = await this.findIfAny(id);
    if (found === undefined) throw notFound('webhook');
    return found;
  }

  async findIfAny(id: string): Promise<StoredWebhook | undefined> {
    const item = isId(id) ? await this.#database.get(keys.webhook(id)) : undefined;
    return item && webhookOf(item);
  }

  /** The newest first. */
  async all(): Promise<StoredWebhook[]> {
    const items = await this.#database.queryAll(partitionRange(keys.webhooks));
    return items.map(webhookOf).sort((a, b) => b.createTime - a.createTime || (a.id < b.id ? -1 : 1));
  }

  /** Deliveries begin behind `position`. @throws conflict if there are too many webhooks */
  async add(webhook: Webhook, position: EventCursor, requestKey?: RequestKey) {
    const { id, createTime: since } = webhook;
    const added = await once(
      this.#database,
      requestKey,
      'webhook#add',
      async (effectRecord: EffectRecord<Added>) => {
        await optimistic(async () => {
          const count = await this.#count();
          if ((count ?? 0) >= mostWebhooks)
            throw new ServiceError('TOO_MANY_WEBHOOKS', `there are at most ${mostWebhooks} webhooks`);
          await this.#database.transact([
            this.#database.putOf(itemOf({ ...webhook, version: 0 })),
            this.#database.putOf(itemOfProgress(id, newProgress(position, since))),
            this.#countOf(count, 1),
            ...effectRecord({ id, since }),
          ]);
        });
        return { id, since };
      },
    );
    return { id: added.id, secret: storedSecret(await this.find(added.id), added.since) };
  }

  /**
   * `secret`: the new secret, if one was asked for; `null` if it was replaced since.
   * @throws notFound
   */
  async change(id: string, changes: WebhookChanges, now: Instant, requestKey?: RequestKey) {
    const name = `webhook#change#${id}`;
    const since = await once(
      this.#database,
      requestKey,
      name,
      async (effectRecord: EffectRecord<Instant>) => {
        await optimistic(async () => {
          const webhook = await this.find(id);
          const changed = { ...changeWebhook(webhook, changes, now), version: webhook.version + 1 };
          await this.#database.transact([
            this.#database.putOf(itemOf(changed), ifUnchanged(webhook.version, 'version')),
            ...effectRecord(now),
          ]);
        });
        return now;
      },
    );
    if (changes.secret === undefined) return {};
    return { secret: storedSecret(await this.find(id), since) };
  }

  /** Switches the webhook off, unless it was changed since it was read. */
  async disable(webhook: StoredWebhook, reason: DisabledReason): Promise<void> {
    const { version } = webhook;
    const item = itemOf({ ...disableWebhook(webhook, reason), version: version + 1 });
    await unlessLost(() => this.#database.put(item, ifUnchanged(version, 'version')));
  }

  /**
   * Waiting attempts are dropped when they are due, and the rows of deliveries expire.
   * @throws notFound
   */
  async delete(id: string, requestKey?: RequestKey): Promise<null> {
    return once(this.#database, requestKey, `webhook#delete#${id}`, async (effectRecord) => {
      await optimistic(async () => {
        // Counted first, so that another deletion is seen either by the webhook or by the count.
        const count = await this.#count();
        await this.find(id);
        await this.#database.transact([
          this.#database.deleteOf(keys.webhook(id)),
          this.#database.deleteOf(keys.deliveryProgress(id)),
          this.#countOf(count, -1),
          ...effectRecord(null),
        ]);
      });
      return null;
    });
  }

  async #count(): Promise<number | undefined> {
    return (await this.#database.get(keys.webhookCount))?.v as number | undefined;
  }

  /** Fails if another webhook was added or deleted since they were counted. */
  #countOf(count: number | undefined, change: 1 | -1): TransactItem {
    return this.#database.putOf({ ...keys.webhookCount, v: (count ?? 0) + change }, ifUnchanged(count));
  }
}

/**
 * The exclusive right to deliver to a webhook, with the progress of its deliveries. `token` is that
 * of the last write.
 */
export type DeliveryClaim = { webhookId: string; progress: Progress; token: number };

const claims = new ClaimAttributes('v', 'until');

const newToken = () => Math.floor(Math.random() * 2 ** 48);

/** `until`: when the claim expires; 0 if there is none. */
const itemOfProgress = (id: string, progress: Progress, until: Instant = 0, v = newToken()): Item => ({
  ...keys.deliveryProgress(id),
  progress,
  until,
  v,
});

/**
 * How far the deliveries to each webhook have come, and which process delivers. Only the process
 * with the claim does. Each write of the progress needs the token of the write before and changes
 * it, so a process that lost its claim can write no more. When a process dies, its claim expires,
 * and the next process repeats what was not saved.
 */
export class DeliveryClaims {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * `takesOver`: no other process is at work.
   * @returns undefined if another process has the claim, or the webhook does not exist
   */
  async claim(
    webhookId: string,
    now: Instant,
    until: Instant,
    takesOver: boolean,
  ): Promise<DeliveryClaim | undefined> {
    const item = await this.#database.get(keys.deliveryProgress(webhookId));
    if (item === undefined || ((item.until as Instant) > now && !takesOver)) return undefined;
    return this.save({ webhookId, progress: item.progress as Progress, token: item.v as number }, until);
  }

  /**
   * Saves the progress, together with further writes.
   * @returns undefined if nothing was written because the claim was lost: the webhook was deleted,
   *   or another process has taken over
   */
  save(
    claim: DeliveryClaim,
    until: Instant,
    also: readonly TransactItem[] = [],
  ): Promise<DeliveryClaim | undefined> {
    const { webhookId, progress, token } = claim;
    const next = newToken();
    const item = itemOfProgress(webhookId, progress, until, next);
    const isOurs = claims.ifOwnedBy(token);
    return unlessLost(async () => {
      if (also.length === 0) await this.#database.put(item, isOurs);
      else await this.#database.transact([this.#database.putOf(item, isOurs), ...also]);
      return { ...claim, token: next };
    });
  }

  /** Saves the progress, unless the claim was lost, and lets another process claim the webhook. */
  async release(claim: DeliveryClaim): Promise<void> {
    await this.save(claim, 0);
  }

  async progressOf(id: string): Promise<Progress | undefined> {
    return (await this.#database.get(keys.deliveryProgress(id)))?.progress as Progress | undefined;
  }

  /** The progress of all webhooks. */
  async all(): Promise<Map<string, Progress>> {
    const items = await this.#database.queryAll(partitionRange(keys.deliveryProgresses));
    return new Map(items.map(({ sk, progress }) => [sk, progress as Progress]));
  }
}
