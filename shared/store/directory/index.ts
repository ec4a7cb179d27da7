/**
 * The directory of a data source. Contacts have sequence numbers, and 128 of these are a block. The directory says how many
 * contacts each block has, so that a page of contacts, and their total, are found without reading contacts. A phone block
 * has the packed phone numbers of a block, for searches.
 *
 * - A data source exists while its first directory page exists. `whileExists` makes that a condition of a transaction, and
 *   `deletePages` ends it: no writer of contacts succeeds afterwards.
 * - Every writer of contacts changes a page and a phone block in its own transaction, on the version that it has read. A
 *   writer that was too late changes nothing, and reads again.
 * - An import reserves whole blocks as an open range. Their counts stay 0 until its commit, so no reader sees its contacts
 *   before, and dialing waits in front of the range.
 * - Bytes are never changed in place: the functions on phone blocks answer new bytes.
 */
export {
  type BlockPart,
  Directory,
  type DirectoryStart,
  dataSourceExists,
  noneGivenFrom,
  queryPages,
  readAllPages,
  readDirectories,
  readDirectory,
  readDirectoryOf,
  readDirectoryStart,
  readNextSeq,
} from './directory.ts';
export {
  bytesOfItem,
  DirectoryPage,
  deletePages,
  firstDirectoryPage,
  longestIn,
  nextVersion,
  openRangeItem,
  readDirectoryPages,
  readOpenRanges,
  type VersionedBytes,
  whileExists,
} from './directory-page.ts';
export {
  blockOfPhones,
  liveSlots,
  matchingSlots,
  packedPhones,
  packPhone,
  phonesOf,
  unpackPhone,
  withoutPhone,
  withPhone,
} from './phone-block.ts';
export { readPhoneBlocks } from './phone-blocks.ts';
