export { ImportRecords, type ImportStart } from './import-records.ts';
export { ImportedContacts } from './imported-contacts.ts';
