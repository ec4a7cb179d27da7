export { Imports } from './contact-imports.ts';
export { type Begun, ImportRecords } from './import-records.ts';
