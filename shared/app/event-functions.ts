import { endConnectCall, findConnectContact, pumpLines } from '../connect/routes/access.ts';
import { pointFromNumbers } from '../contacts/routes/access.ts';
import { reportCalls } from '../dialing/routes/access.ts';
import {
  appendEvents as appendToList,
  deliver,
  findWebhooks,
  watchDeliveries,
} from '../events/routes/access.ts';
import {
  findDueImports,
  importArrived,
  importKept,
  registerImport,
  runImport,
} from '../imports/routes/access.ts';
import { watchDialers } from '../insight/routes/access.ts';
import { finishErasing } from '../people/routes/access.ts';
import {
  type Access,
  type BucketAccess,
  type Grant,
  grant,
  objectGrant,
  type Resources,
  setUpTable,
} from '../platform/api/route.ts';
import { reconsiderAll, stopOverdue } from '../tasks/routes/access.ts';

export const removeRemains: readonly Grant[] = [
  { ...grant(['Query'], 'DUE#removal'), index: 'only' },
  grant(['UpdateItem', 'DeleteItem'], 'AGENDA#removal'),
  grant(['Query', 'DeleteItem'], 'AGENDA#import'),
  grant(['Query', 'BatchWriteItem'], 'AGENDA#callbacks#*'),
  grant(['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'], 'DS#*'),
  pointFromNumbers,
  grant(['Query', 'UpdateItem', 'BatchWriteItem'], 'TASK#*'),
];
/** Removes records of calls that are too old, in all tasks. */
export const removeOldCalls: readonly Grant[] = [
  { ...grant(['Query'], 'DUE#oldCalls'), index: 'only' },
  grant(['GetItem', 'PutItem', 'UpdateItem'], 'AGENDA#oldCalls'),
  grant(['Query'], 'ROLL#task'),
];
export const removeObjects: readonly BucketAccess[] = [
  objectGrant(['ListBucket', 'DeleteObject'], 'imports/'),
  objectGrant(['ListBucket', 'DeleteObject'], 'uploads/'),
];

/** What starts a function that is not an endpoint. */
export type Trigger =
  | { readonly kind: 'objectCreated'; readonly prefix: string }
  | { readonly kind: 'schedule'; readonly everyMinutes: number }
  /** `retries` of a failed batch. Absent: as long as the stream keeps it, which is 24 hours. */
  | { readonly kind: 'tableStream'; readonly retries?: number }
  | { readonly kind: 'deliveryQueue' }
  | { readonly kind: 'connectContactEvents' };

/** A function that is not an endpoint, declared once like a route. */
export type EventFunction = Resources & {
  readonly id: string;
  /** The file below functions/ that exports the function under this id. */
  readonly file: string;
  readonly trigger: Trigger;
  readonly summary: string;
  /** Deployed only if Amazon Connect is configured. */
  readonly needsConnect?: true;
  readonly access: Access;
};

export const importFile = {
  id: 'importFile',
  file: 'events/import-file',
  trigger: { kind: 'objectCreated', prefix: 'imports/' },
  summary: 'Imports a contact file that arrived in the bucket',
  access: { table: [...registerImport, ...runImport], bucket: [importArrived, importKept] },
  memory: 1769,
  timeout: 300,
} as const satisfies EventFunction;

export const doDueFileWork = {
  id: 'doDueFileWork',
  file: 'events/do-due-file-work',
  trigger: { kind: 'schedule', everyMinutes: 5 },
  summary:
    'Resumes unfinished imports, removes what deleted tasks and data sources have left, and records of calls that are too old',
  access: {
    table: [...runImport, findDueImports, ...removeRemains, ...removeOldCalls],
    bucket: [importArrived, importKept, ...removeObjects],
  },
  memory: 1769,
  timeout: 300,
} as const satisfies EventFunction;

export const doDueWork = {
  id: 'doDueWork',
  file: 'events/do-due-work',
  trigger: { kind: 'schedule', everyMinutes: 1 },
  summary:
    'Stops tasks whose callUntil has come, considers deferred contacts of adjusted tasks again, finishes erasures whose request broke off, asks for deliveries that are due, and finds tasks for which no dialer asks',
  access: {
    table: [
      ...stopOverdue,
      ...reconsiderAll,
      ...finishErasing,
      ...watchDeliveries,
      ...watchDialers,
      setUpTable,
    ],
    deliveryQueue: true,
  },
  memory: 512,
  timeout: 60,
} as const satisfies EventFunction;

export const appendEvents = {
  id: 'appendEvents',
  file: 'events/append-events',
  trigger: { kind: 'tableStream' },
  summary: 'Lists what has happened: the changes in the stream as events',
  access: { table: [...appendToList, findWebhooks], deliveryQueue: true },
  memory: 512,
  timeout: 60,
} as const satisfies EventFunction;

export const publishEvents = {
  id: 'publishEvents',
  file: 'events/publish-events',
  trigger: { kind: 'tableStream', retries: 20 },
  summary: 'Publishes what has happened on the event bus: the changes in the stream as events',
  access: { eventBus: true },
  memory: 512,
  timeout: 60,
} as const satisfies EventFunction;

export const deliverEvents = {
  id: 'deliverEvents',
  file: 'events/deliver-events',
  trigger: { kind: 'deliveryQueue' },
  summary: 'Sends events to the webhook that a message names',
  access: { table: deliver, deliveryQueue: true },
  memory: 512,
  timeout: 120,
} as const satisfies EventFunction;

export const pumpCalls = {
  id: 'pumpCalls',
  file: 'events/pump-calls',
  trigger: { kind: 'schedule', everyMinutes: 1 },
  summary: 'Leases calls and starts them in Amazon Connect',
  needsConnect: true,
  access: { table: pumpLines, connect: ['StartOutboundVoiceContact', ...findConnectContact] },
  memory: 512,
  timeout: 60,
} as const satisfies EventFunction;

export const connectResults = {
  id: 'connectResults',
  file: 'events/connect-results',
  trigger: { kind: 'connectContactEvents' },
  summary: "Turns Amazon Connect's contact events into results",
  needsConnect: true,
  access: { table: [...reportCalls, endConnectCall], connect: findConnectContact },
  memory: 512,
  timeout: 60,
} as const satisfies EventFunction;

export const eventFunctions: readonly EventFunction[] = [
  importFile,
  doDueFileWork,
  doDueWork,
  appendEvents,
  publishEvents,
  deliverEvents,
  pumpCalls,
  connectResults,
];
