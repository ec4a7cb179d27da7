export { callOfItem, type StoredCall } from './call-items.ts';
export { type CallRange, CallRecords, type CallsPage } from './call-records.ts';
export { namesAtMost, readDataNames, rememberDataNames } from './data-names.ts';
