/**
 * What the service tells other systems. Events have ids, states, outcomes and counts, never a phone
 * number.
 *
 * An event is a change of the table that other systems want to know of. `change-events.ts` makes it
 * from the table's stream, with an id that is the same each time. One function lists the events
 * (`EventList`), for 30 days. Another one publishes them on EventBridge (`EventBus`), so neither
 * waits for the other. A reader of the list that goes on behind its last event misses no event. It
 * may get an event twice.
 *
 * A webhook gets the events by POST (`Deliverer`). The room keeps its settings and secrets, its
 * position in the list, the deliveries and stretches of time that wait beside the position, and its
 * last thousand attempts. Only the process that has claimed the webhook moves the position.
 * Position, waiting deliveries and stretches change in one transaction.
 *
 * A wake is a message that asks for a run for one webhook. It says nothing else, because the table
 * knows what there is to do. If a wake is lost, the schedule sends another one within a minute
 * (`watchDeliveries`).
 *
 * When a process dies: a batch of the stream is sent again, so its events are listed again. The
 * claim of a run that delivered expires, and the next run repeats what was not saved, so a receiver
 * gets up to 64 events again.
 */

import type { DynamoDBRecord } from 'aws-lambda';
import { callOfItem } from '../calls/call-records.ts';
import { callId } from '../calls/rules/call.ts';
import { contactId, contactStatus } from '../contacts/rules/contact.ts';
import type { DataSource } from '../contacts/rules/data-source.ts';
import { taskContactOf } from '../dialing/dialing-items.ts';
import type { TaskContact } from '../dialing/rules/task-contact.ts';
import type { ContactImport } from '../imports/rules/contact-import.ts';
import { type Attributes, itemOf } from '../platform/table/item-reader.ts';
import { type Item, isCallKey, keys, seqKey } from '../platform/table/keys.ts';
import { type FormatTime, formatOrNull, type Instant, secondMs } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import type { CallReason, Outcome } from '../tasks/rules/task-settings.ts';
import { type ImageChange, mayMakeEvents } from './changes-with-events.ts';
import type { ServiceEvent } from './rules/service-event.ts';
import type { Webhook } from './rules/webhook.ts';

/** An item before and after one write, from the table's stream. */
export type ItemChange = { before?: Item | undefined; after?: Item | undefined };

/** An event without its time. The times among its data are instants. */
type UntimedEvent = Omit<ServiceEvent, 'time'>;

/** The sort key of the records of tasks and of data sources. */
const recordSort = keys.task('').sk;
const isTask = ({ pk, sk }: Item) => pk.startsWith('TASK#') && sk === recordSort;
const isDataSource = ({ pk, sk }: Item) => pk.startsWith('DS#') && sk === recordSort;
const importSort = keys.import('', '').sk;
const isImport = ({ pk, sk }: Item) => pk.startsWith('DS#') && sk.startsWith(importSort);
/** A task contact is recognised by its partition and its sort key, which is a sequence number. */
const isTaskContact = ({ pk, sk, task }: Item) =>
  typeof task === 'string' && pk === keys.taskContact(task, Number(sk)).pk && sk === seqKey(Number(sk));

const stateChange = (before: Item, after: Item): UntimedEvent[] => {
  const { id, taskName, dataSourceId, status, reason } = after as unknown as Task;
  const { status: previousStatus } = before as unknown as Task;
  if (previousStatus === status) return [];
  const data = { taskId: id, taskName, dataSourceId, previousStatus, status, reason };
  return [{ id: `${id}-${after.version}`, type: 'task.state_changed', data }];
};

/** `callId`, `reason`: those of the call that settled the contact; `null` for a blocked contact. */
type Settled = {
  id: string;
  callId: string | null;
  outcome: Outcome | 'blocked';
  reason: CallReason | null;
};

/**
 * How this write settled the contact, if it did. A blocked contact had no call, so its id is made
 * of its version.
 */
const settledBy = (contact: TaskContact, was: unknown): Settled | undefined => {
  const { taskId, seq, state, lease } = contact;
  if (state === was) return undefined;
  if (state === 'blocked') {
    const id = callId({ taskId, seq, nonce: `blocked-${contact.version}` });
    return { id, callId: null, outcome: state, reason: null };
  }
  if (state !== 'final' || lease === null) return undefined;
  const id = callId({ taskId, seq, nonce: lease.nonce });
  const reason = contact.results.find(({ nonce }) => nonce === lease.nonce)?.reason ?? null;
  return { id, callId: id, outcome: contact.outcome, reason };
};

const finalOutcome = (before: Item, after: Item): UntimedEvent[] => {
  const contact = taskContactOf(after);
  const settled = settledBy(contact, before.state);
  if (settled === undefined) return [];
  const { id, ...how } = settled;
  const { taskId, dataSourceId, seq, outcome, callCount, duration, lastCallTime } = contact;
  const data = {
    taskId,
    dataSourceId,
    contactId: contactId(dataSourceId, seq),
    ...how,
    status: contactStatus[outcome ?? 'notDialed'],
    callCount,
    callDuration: duration,
    lastCallTime,
  };
  return [{ id, type: 'contact.settled', data }];
};

/**
 * A result inserts the record of its call, and an annotation changes it. An erasure changes it too,
 * but is no event of the call.
 */
const callEvent = (before: Item | undefined, after: Item): UntimedEvent[] => {
  const call = callOfItem(after);
  if (before !== undefined && (call.isErased || before.v === after.v)) return [];
  const { taskId, dataSourceId, seq, attempt, startTime, endTime, duration } = call;
  const { outcome, reason, final, callbackTime, doNotCall } = call;
  const id = callId(call);
  const data = {
    callId: id,
    taskId,
    dataSourceId,
    contactId: contactId(dataSourceId, seq),
    attempt,
    startTime,
    endTime,
    duration,
    outcome,
    reason,
    final,
    callbackTime,
    doNotCall,
    // A code that the task declares. Any other text may name the person, so it is not in the event.
    disposition: call.counted || null,
  };
  if (before === undefined) return [{ id: `${id}-ended`, type: 'call.ended', data }];
  const annotated = { ...data, updateTime: call.updateTime };
  return [{ id: `${id}-annotated-${call.version}`, type: 'call.annotated', data: annotated }];
};

const endedImport = (before: Item, after: Item): UntimedEvent[] => {
  const { importId, dataSourceId, status, options, ...record } = after as unknown as ContactImport;
  if (before.status === status || (status !== 'DONE' && status !== 'FAILED') || options?.dryRun) return [];
  const { importCount, successCount, failCount, updateCount = 0 } = record;
  const counts = { importCount, successCount, failCount, updateCount };
  return [
    { id: `${importId}-ended`, type: 'import.ended', data: { importId, dataSourceId, status, ...counts } },
  ];
};

/** An erasure leaves the agenda when it has ended. */
const erasedContacts = ({ contacts = [] }: Item): UntimedEvent[] =>
  (contacts as { dataSourceId: string; seq: number }[]).map(({ dataSourceId, seq }) => {
    const id = contactId(dataSourceId, seq);
    return { id: `${id}-erased`, type: 'contact.erased', data: { contactId: id, dataSourceId } };
  });

/** Only one deletion deletes a record, so the id of the record makes the id of the event. */
const deletion = (before: Item): UntimedEvent[] => {
  if (isTask(before)) {
    const { id, taskName, dataSourceId, status } = before as unknown as Task;
    const data = { taskId: id, taskName, dataSourceId, status };
    return [{ id: `${id}-deleted`, type: 'task.deleted', data }];
  }
  if (!isDataSource(before)) return [];
  const { id, dataSourceName } = before as unknown as DataSource;
  return [{ id: `${id}-deleted`, type: 'data_source.deleted', data: { dataSourceId: id, dataSourceName } }];
};

const disabledWebhook = (before: Item, after: Item): UntimedEvent[] => {
  const { id, enabled, disabledReason: reason } = after as unknown as Webhook;
  if (enabled || reason === undefined || before.enabled !== true) return [];
  const eventId = `${id}-disabled-${after.version}`;
  return [{ id: eventId, type: 'webhook.disabled', data: { webhookId: id, reason } }];
};

/**
 * The events of a committed write: a task changed its state, a call ended or was annotated, a
 * contact got its final outcome, contacts were erased, an import ended, or a task or data source
 * was deleted. A new task is not a change of state.
 */
export const eventsOf = ({ before, after }: ItemChange): UntimedEvent[] => {
  if (after !== undefined && isCallKey(after.pk)) return callEvent(before, after);
  if (before === undefined) return [];
  if (after === undefined) return before.pk === keys.erasures ? erasedContacts(before) : deletion(before);
  if (isTask(after)) return stateChange(before, after);
  if (isImport(after)) return endedImport(before, after);
  if (after.pk === keys.webhooks) return disabledWebhook(before, after);
  return isTaskContact(after) ? finalOutcome(before, after) : [];
};

/** Names of instants in the data of events. Events show times as the API does. */
const timeNames: ReadonlySet<string> = new Set([
  'lastCallTime',
  'startTime',
  'endTime',
  'callbackTime',
  'updateTime',
]);

const dataOf = ({ data }: UntimedEvent, format: FormatTime): ServiceEvent['data'] =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      timeNames.has(name) ? formatOrNull(value as Instant | null, format) : value,
    ]),
  );

const itemIn = (image: Attributes | undefined) => image && (itemOf(image) as Item);

/** The events of a committed change of an item. */
export const eventsOfChange = (change: ImageChange, time: Instant, format: FormatTime): ServiceEvent[] => {
  if (!mayMakeEvents(change)) return [];
  return eventsOf({ before: itemIn(change.before), after: itemIn(change.after) }).map((event) => ({
    id: event.id,
    type: event.type,
    time: new Date(time).toISOString(),
    data: dataOf(event, format),
  }));
};

/** The events of a record of the table's stream. */
export const eventsInRecord = ({ dynamodb = {} }: DynamoDBRecord, format: FormatTime): ServiceEvent[] => {
  const change = { before: dynamodb.OldImage, after: dynamodb.NewImage };
  return eventsOfChange(change, (dynamodb.ApproximateCreationDateTime ?? 0) * secondMs, format);
};
