import { callRecord } from '../../calls/routes/calls.ts';
import {
  callId,
  contactId,
  contactStatus,
  count,
  dataSourceId,
  dataSourceName,
  described,
  exactly,
  exampleOf,
  id,
  like,
  name,
  optionalTimestamp,
  seconds,
  status,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { outcomes } from '../../tasks/rules/task-settings.ts';
import { testType } from '../rules/progress.ts';
import { type EventType, eventTypes } from '../rules/service-event.ts';

const webhookId = like(id, '2m7q8t3vbn5c4k9x');

const { outcome, reason, disposition } = callRecord;

const endedCall = {
  callId,
  taskId: id,
  dataSourceId,
  contactId,
  attempt: callRecord.attempt,
  startTime: callRecord.startTime,
  endTime: callRecord.endTime,
  duration: seconds,
  outcome,
  reason,
  final: callRecord.final,
  callbackTime: callRecord.callbackTime,
  doNotCall: callRecord.doNotCall,
  disposition: { ...disposition, description: 'A code that the task declares; null for any other text' },
} as const;

/** The data of each type of event. */
const dataOf = {
  'task.state_changed': {
    taskId: id,
    taskName: name,
    dataSourceId,
    previousStatus: status,
    status: like(status, 4),
    reason: {
      type: ['string', 'null'],
      description: 'Why the task was stopped or failed, if a reason was given',
      examples: [null],
    },
  },
  'task.deleted': { taskId: id, taskName: name, dataSourceId, status: like(status, 6) },
  'call.ended': endedCall,
  'call.annotated': { ...endedCall, updateTime: described(timestamp, 'Of this annotation') },
  'contact.settled': {
    taskId: id,
    dataSourceId,
    contactId,
    callId: {
      type: ['string', 'null'],
      description: 'The call that settled the contact; null if it is blocked',
      examples: callId.examples,
    },
    outcome: { type: 'string', enum: [...outcomes, 'blocked'] },
    reason,
    status: described(
      contactStatus,
      'Of the latest call in this task: 0 none, 1 success, 2 failed, 3 no answer',
    ),
    callCount: like(count, 2),
    callDuration: seconds,
    lastCallTime: like(optionalTimestamp, '2026-05-04 10:15:29'),
  },
  'contact.erased': { contactId, dataSourceId },
  'import.ended': {
    importId: like(id, '2c8v5b9n4m7k3j6h'),
    dataSourceId,
    status: { type: 'string', enum: ['DONE', 'FAILED'] },
    importCount: like(count, 100),
    successCount: like(count, 98),
    failCount: like(count, 2),
    updateCount: count,
  },
  'data_source.deleted': { dataSourceId, dataSourceName },
  'webhook.disabled': { webhookId, reason: { type: 'string', enum: ['gone', 'failing'] } },
} as const satisfies Record<EventType, object>;

/** Events that have the record of their call, if a client asks for it. */
const aboutCalls: readonly EventType[] = ['call.ended', 'call.annotated', 'contact.settled'];

const callOfEvent = {
  ...exactly(callRecord),
  title: 'CallOfEvent',
  type: ['object', 'null'],
  description:
    'The record of the call, where it is asked for by `expand` of the list or `expandCall` of the webhook; null if there is none, or the person was erased',
} as const;

/** `call.ended` becomes `CallEnded`. */
const titleOf = (type: string): string =>
  type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

const withCall = <S extends { properties: object }>(type: EventType, schema: S): S =>
  aboutCalls.includes(type) ? { ...schema, properties: { ...schema.properties, call: callOfEvent } } : schema;

const dataSchema = (type: EventType) => titled(`${titleOf(type)}Data`, exactly(dataOf[type]));

const eventSchema = (type: EventType) => {
  const fields = {
    id: {
      type: 'string',
      description: 'The same each time the event is told',
      examples: ['4k9x2m7q8t3vbn5c-7'],
    },
    type: { type: 'string', const: type, examples: [type] },
    time: { type: 'string', description: 'ISO 8601, UTC', examples: ['2026-05-04T10:15:30.000Z'] },
    data: dataSchema(type),
  } as const;
  return titled(`${titleOf(type)}Event`, withCall(type, exactly(fields)));
};

const eventSchemas = eventTypes.map(eventSchema);

/** An event of the list. Its `type` determines its `data`. */
export const listedEvent = {
  title: 'Event',
  oneOf: eventSchemas,
  examples: [exampleOf(eventSchemas[0] as object)],
} as const;

const delivery = (type: string, data: object) => ({
  type,
  schema: titled(
    `${titleOf(type)}Delivery`,
    exactly({
      type: { type: 'string', const: type, examples: [type] },
      timestamp: {
        type: 'string',
        description: 'The time of the event, ISO 8601, UTC; the same in every attempt',
        examples: ['2026-05-04T10:15:30.000Z'],
      },
      data,
    }),
  ),
});

/** The body of a delivery to a webhook, by the type of its event. */
export const deliveries = [
  ...eventTypes.map((type) => {
    const data = dataSchema(type);
    const delivered = withCall(type, data);
    const title = `${titleOf(type)}DataWithCall`;
    return delivery(type, delivered === data ? data : { ...delivered, title });
  }),
  delivery(testType, titled('WebhookTestData', exactly({ webhookId }))),
];
