export { ImportRecords, type ImportStart } from './import-records.ts';
export { removeRows } from './import-rollback.ts';
export { ImportedContacts } from './imported-contacts.ts';
