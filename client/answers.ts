import type { Data } from './client.ts';

/** Answers by names that read well where they are used. */
export type TaskOverview = Data<'taskOverview'>;
export type TaskContact = Data<'taskContacts'>['rows'][number];
export type ImportPreview = Data<'importPreview'>;
export type ImportReport = Data<'batchImport'>;
export type ImportEntry = Data<'listImports'>['rows'][number];
