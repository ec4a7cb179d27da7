export {
  type BlockPart,
  Directory,
  type DirectoryStart,
  noneGivenFrom,
  readAllPages,
  readCounts,
  readDirectory,
  readDirectoryOf,
  readDirectoryStart,
  readNextSeq,
} from './directory.ts';
export { DirectoryPage, firstDirectoryPage, readDirectoryPages } from './directory-page.ts';
export { openRangeItem, readOpenRanges } from './open-ranges.ts';
export { blockOfPhones, liveSlots, matchingSlots, phonesOf, withoutPhone, withPhone } from './phone-block.ts';
export { bytesOfItem, nextVersion, type VersionedBytes } from './versioned-bytes.ts';
