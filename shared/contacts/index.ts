/**
 * Lists of contacts, called data sources: their contacts, and the directory by which contacts are found.
 *
 * Contacts have sequence numbers, which are never reused, and 128 of these are a block. The directory says how many contacts each
 * block has, so that a page of contacts, and their total, are found without reading contacts. A phone block has the packed phone
 * numbers of a block, for searches. A guard for each number keeps it unique in its data source.
 *
 * - A data source exists while its first directory page exists. `whileExists` makes that a condition of a transaction, and
 *   `deletePages` ends it: no writer of contacts succeeds afterwards.
 * - Every writer of contacts changes guard, contact, phone block and directory page in one transaction, on the versions that it
 *   has read. A writer that was too late changes nothing, and reads again. Writers of one process take turns.
 * - An import reserves whole blocks as an open range. Their counts stay 0 until its commit, so no reader sees its contacts
 *   before, and dialing waits in front of the range.
 * - Dialing marks a contact while it is called (`showInCall`), and a result changes its status, without a new version. A contact that was
 *   called and is deleted, or gets another number, leaves a pointer from its number, by which its calls are found.
 * - The do-not-call list is a data source too. Numbers that come at once wait in one item and are added together (`Exclusions`).
 *
 * If a process dies before its transaction, nothing has changed but a name or a pointer that no contact needs. The tasks are
 * brought forward after the transaction. If that is missed, their next regular check finds the contact.
 */
export {
  Directory,
  dataSourceExists,
  readAllPages,
  readDirectories,
  readNextSeq,
} from './directory/directory.ts';
export {
  DirectoryPage,
  longestIn,
  openRangeItem,
  readDirectoryPages,
  readOpenRanges,
  whileExists,
} from './directory/directory-page.ts';
export {
  blockOfPhones,
  packedPhones,
  packPhone,
  phonesOf,
  readPhoneBlocks,
  unpackPhone,
} from './directory/phone-block.ts';
export { numberingIn, personNumberingIn } from './phone-country.ts';
export {
  contactItem,
  contactOfItem,
  forgetFormerContacts,
  inCallMark,
  pointFromNumbers,
  readFormerContacts,
  showInCall,
  showNoCall,
} from './store/contact-items.ts';
export { Contacts } from './store/contacts.ts';
export {
  type Claimable,
  countUntouched,
  livePhones,
  readContactList,
  readContactRange,
} from './store/contacts-by-seq.ts';
export {
  assertRoomForNames,
  countEdit,
  DataSources,
  readDataSourceSeen,
  readFieldNames,
  rememberFieldNames,
} from './store/data-sources.ts';
export { forgetWaiting } from './store/exclusions.ts';
export { forgetWaitingContacts } from './store/waiting-contacts.ts';
