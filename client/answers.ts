import type { Data } from './client.ts';

/** Names for answers that are used in several places. */
export type ServiceDay = Data<'describeDay'>;
export type TaskOverview = Data<'taskOverview'>;
export type TaskBoard = Data<'taskBoard'>;
export type HistoryEntry = Data<'taskHistory'>['rows'][number];
export type Preflight = Data<'preflightTask'>;
export type CallsPage = Data<'taskCallList'>;
export type CallRecord = CallsPage['rows'][number];
export type CallDetail = Data<'callDetail'>;
export type TaskContact = Data<'taskContacts'>['rows'][number];
export type ImportPreview = Data<'importPreview'>;
export type ImportReport = Data<'batchImport'>;
export type ImportEntry = Data<'listImports'>['rows'][number];
export type TroubledImport = TaskBoard['imports'][number];
export type ImportStatus = Data<'importStatus'>;
/** A phone number with its contacts. */
export type FoundPerson = Data<'findPerson'>;
export type Erased = Data<'erasePerson'>;
export type Webhook = Data<'listWebhooks'>['rows'][number];
export type WebhookSettings = Pick<Webhook, 'url' | 'types' | 'taskIds' | 'expandCall' | 'description'>;
export type DeliveryAttempt = Data<'listDeliveries'>['rows'][number];
