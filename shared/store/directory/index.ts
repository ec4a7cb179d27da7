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
