import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { describeError, log } from '../observability/log.ts';
import { backoff } from '../store/table/index.ts';
import { eventSource, type PublishedEvent } from './published-event.ts';

/** Most entries that one PutEvents request takes. */
const batchSize = 10;
const attempts = 5;

/** The bus that the service's events go out on. */
export class EventBus {
  readonly #client: EventBridgeClient;
  readonly #name: string;

  constructor(client: EventBridgeClient, name: string) {
    this.#client = client;
    this.#name = name;
  }

  /** In order, batch by batch. Answers the position of the first event that did not get out, if any. */
  async publish(events: readonly PublishedEvent[]): Promise<number | undefined> {
    for (let at = 0; at < events.length; at += batchSize) {
      const failed = await this.#tryBatch(events.slice(at, at + batchSize));
      if (failed !== undefined) return at + failed;
    }
    return undefined;
  }

  /** A bus that cannot be reached is counted like one that refuses: from the first event on none got out. */
  async #tryBatch(events: readonly PublishedEvent[]): Promise<number | undefined> {
    try {
      return await this.#putBatch(events);
    } catch (error) {
      log.error('events not published', { error: describeError(error) });
      return 0;
    }
  }

  /** Entries are refused one by one: those that got out are not sent again. */
  async #putBatch(events: readonly PublishedEvent[]): Promise<number | undefined> {
    let pending = [...events.keys()];
    for (let attempt = 1; ; attempt++) {
      const entries = pending.map((position) => this.#entryOf(events[position] as PublishedEvent));
      const answer = await this.#client.send(new PutEventsCommand({ Entries: entries }));
      if ((answer.FailedEntryCount ?? 0) === 0) return undefined;
      pending = pending.filter((_, i) => answer.Entries?.[i]?.ErrorCode !== undefined);
      if (pending.length === 0) return undefined;
      if (attempt === attempts) return pending[0];
      await backoff(attempt);
    }
  }

  #entryOf({ detailType, time, detail }: PublishedEvent): PutEventsRequestEntry {
    return {
      EventBusName: this.#name,
      Source: eventSource,
      DetailType: detailType,
      Time: new Date(time),
      Detail: JSON.stringify(detail),
    };
  }
}
