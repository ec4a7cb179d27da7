/**
 * What an import leaves in the table. `ImportRecords` says who may work on an import and how it ended: each is created once,
 * held by one runner at a time, and ended once. `ImportedContacts` writes its rows: `writeRows` reserves blocks, claims the
 * phone numbers and writes the contacts, all of it hidden; `commit` shows them all at once; `rollBack` removes them. Each
 * may be repeated after a crash and ends in the same state.
 */

export type { LiveBlock } from './import-blocks.ts';
export { blocksOfPart } from './import-phones.ts';
export { ImportRecords, type ImportStart } from './import-records.ts';
export { removeRows } from './import-rollback.ts';
export { ImportedContacts, type WrittenRows } from './imported-contacts.ts';
export { findTroubledImports } from './troubled-imports.ts';
