import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { describeError, log } from '../platform/observability/log.ts';
import { backoff } from '../platform/table/concurrency.ts';
import type { EventType, ServiceEvent } from './rules/service-event.ts';

export const eventSource = 'outbound.tasks';

const detailTypes = {
  'task.state_changed': 'Task State Changed',
  'task.deleted': 'Task Deleted',
  'call.ended': 'Call Ended',
  'call.annotated': 'Call Annotated',
  'contact.settled': 'Contact Outcome Final',
  'contact.erased': 'Contact Erased',
  'import.ended': 'Import Ended',
  'data_source.deleted': 'Data Source Deleted',
  'webhook.disabled': 'Webhook Disabled',
} as const satisfies Record<EventType, string>;

/** An event in the form of EventBridge. */
export const busEvent = ({ id, type, data }: ServiceEvent) => ({
  detailType: detailTypes[type],
  detail: { id, ...data },
});

/** The maximum of one PutEvents request. */
const batchSize = 10;
const maxTries = 5;

/**
 * Publishes events in order.
 * @returns the position of the first event that was not published; undefined if all were
 */
export type Bus = { publish: (events: readonly ServiceEvent[]) => Promise<number | undefined> };

/** The service's event bus in EventBridge. */
export class EventBus implements Bus {
  readonly #client: EventBridgeClient;
  readonly #name: string;

  constructor(client: EventBridgeClient, name: string) {
    this.#client = client;
    this.#name = name;
  }

  /** Publishes batch by batch. */
  async publish(events: readonly ServiceEvent[]): Promise<number | undefined> {
    for (let at = 0; at < events.length; at += batchSize) {
      const failed = await this.#tryBatch(events.slice(at, at + batchSize));
      if (failed !== undefined) return at + failed;
    }
    return undefined;
  }

  /** If the bus cannot be reached, no event of the batch counts as published. */
  async #tryBatch(events: readonly ServiceEvent[]): Promise<number | undefined> {
    try {
      return await this.#putBatch(events);
    } catch (error) {
      log.error('events not published', { error: describeError(error) });
      return 0;
    }
  }

  /** The bus refuses entries one by one. Only refused entries are sent again. */
  async #putBatch(events: readonly ServiceEvent[]): Promise<number | undefined> {
    let pending = [...events.keys()];
    for (let tries = 1; ; tries++) {
      const entries = pending.map((position) => this.#entryOf(events[position] as ServiceEvent));
      const answer = await this.#client.send(new PutEventsCommand({ Entries: entries }));
      if ((answer.FailedEntryCount ?? 0) === 0) return undefined;
      pending = pending.filter((_, i) => answer.Entries?.[i]?.ErrorCode !== undefined);
      if (pending.length === 0) return undefined;
      if (tries === maxTries) return pending[0];
      await backoff(tries);
    }
  }

  #entryOf(event: ServiceEvent): PutEventsRequestEntry {
    const { detailType, detail } = busEvent(event);
    return {
      EventBusName: this.#name,
      Source: eventSource,
      DetailType: detailType,
      Time: new Date(event.time),
      Detail: JSON.stringify(detail),
    };
  }
}
