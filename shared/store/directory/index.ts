export {
  type BlockPart,
  Directory,
  type DirectoryStart,
  noneGivenFrom,
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
  firstDirectoryPage,
  nextVersion,
  openRangeItem,
  readDirectoryPages,
  readOpenRanges,
  type VersionedBytes,
} from './directory-page.ts';
export { blockOfPhones, liveSlots, matchingSlots, phonesOf, withoutPhone, withPhone } from './phone-block.ts';
