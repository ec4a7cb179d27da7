export type { Claimable } from './claimable-contacts.ts';
export { contactItem, contactOfItem, inCallMark } from './contact-items.ts';
export { readContactList, readContactRange } from './contact-ranges.ts';
export { Contacts } from './contacts.ts';
export { DataSources } from './data-sources.ts';
export { forgetWaiting } from './exclusions.ts';
export { assertRoomForNames, readFieldNames, rememberFieldNames } from './field-names.ts';
export {
  forgetFormerContacts,
  pointFromNumbers,
  readFormerContacts,
} from './former-numbers.ts';
export { showInCall, showNoCall } from './in-call-marks.ts';
export { countUntouched, livePhones } from './live-contacts.ts';
export { readDataSourceSeen } from './seen-data-source.ts';
