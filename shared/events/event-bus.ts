import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { describeError, log } from '../observability/log.ts';
import { backoff } from '../store/table/index.ts';
import { eventSource, type PublishedEvent } from './published-event.ts';

/** The maximum of one PutEvents request. */
const batchSize = 10;
const maxTries = 5;

/** The bus to which the service publishes its events. */
export class EventBus {
  readonly #client: EventBridgeClient;
  readonly #name: string;

  constructor(client: EventBridgeClient, name: string) {
    this.#client = client;
    this.#name = name;
  }

  /** In order, batch by batch. Answers the position of the first event that was not published, if any. */
  async publish(events: readonly PublishedEvent[]): Promise<number | undefined> {
    for (let at = 0; at < events.length; at += batchSize) {
      const failed = await this.#tryBatch(events.slice(at, at + batchSize));
      if (failed !== undefined) return at + failed;
    }
    return undefined;
  }

  /** When the bus cannot be reached, no event of the batch counts as published. */
  async #tryBatch(events: readonly PublishedEvent[]): Promise<number | undefined> {
    try {
      return await this.#putBatch(events);
    } catch (error) {
      log.error('events not published', { error: describeError(error) });
      return 0;
    }
  }

  /** The bus refuses entries one by one. Only refused entries are sent again. */
  async #putBatch(events: readonly PublishedEvent[]): Promise<number | undefined> {
    let pending = [...events.keys()];
    for (let tries = 1; ; tries++) {
      const entries = pending.map((position) => this.#entryOf(events[position] as PublishedEvent));
      const answer = await this.#client.send(new PutEventsCommand({ Entries: entries }));
      if ((answer.FailedEntryCount ?? 0) === 0) return undefined;
      pending = pending.filter((_, i) => answer.Entries?.[i]?.ErrorCode !== undefined);
      if (pending.length === 0) return undefined;
      if (tries === maxTries) return pending[0];
      await backoff(tries);
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
