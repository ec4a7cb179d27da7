import type { Data } from './client.ts';

/** Answers by names that read well where they are used. */
export type TaskOverview = Data<'taskOverview'>;
export type TaskContact = Data<'taskContacts'>['rows'][number];
