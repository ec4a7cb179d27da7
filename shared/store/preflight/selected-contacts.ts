import type { Contact } from '../../domain/contacts/contact.ts';
import { type ContactFilter, isSelected } from '../../domain/contacts/contact-filter.ts';
import { type Contacts, readContactRange } from '../contacts/index.ts';
import { type Directory, packPhone } from '../directory/index.ts';
import { blockSize, concurrently, type Database } from '../table/index.ts';
import type { PhoneList } from './phone-list.ts';

/** Up to that many contacts are all read. */
const readAtMost = 100_000;
/** Of more contacts, at least that many are read. */
const sampleSize = 20_000;
const queriesAtOnce = 16;

/**
 * Which contacts a filter selects. `share`: how many of the contacts that `at` accepts match; below 1 where only a part
 * of the contacts was read.
 */
export type Selected = { at: (index: number) => boolean; share: number; isEstimated: boolean };

type Source = { database: Database; contacts: Contacts; dataSourceId: string; directory: Directory };

export const readSelected = async (
  source: Source,
  filter: ContactFilter = [],
  numbers: PhoneList,
): Promise<Selected> => {
  if (filter.length === 0) return { at: () => true, share: 1, isEstimated: false };
  if (numbers.size > readAtMost)
    return { at: () => true, share: await sampledShare(source, filter), isEstimated: true };
  const matching = new Uint8Array(numbers.size);
  for await (const some of source.contacts.scan(source.dataSourceId)) {
    for (const contact of some) {
      const index = numbers.indexOf(packPhone(contact.phoneNumber));
      if (index !== undefined && isSelected(filter, contact)) matching[index] = 1;
    }
  }
  return { at: (index) => matching[index] === 1, share: 1, isEstimated: false };
};

/** The share of matching contacts among the contacts of blocks that lie evenly apart. */
const sampledShare = async (source: Source, filter: ContactFilter): Promise<number> => {
  const { database, dataSourceId, directory } = source;
  const read = await concurrently(sampledBlocks(directory), queriesAtOnce, (block) =>
    readContactRange(database, dataSourceId, block * blockSize, (block + 1) * blockSize - 1),
  );
  const contacts: Contact[] = read.flat();
  return contacts.filter((contact) => isSelected(filter, contact)).length / Math.max(1, contacts.length);
};

/** Blocks with at least `sampleSize` contacts. Where many contacts were deleted, more blocks are needed. */
const sampledBlocks = (directory: Directory): number[] => {
  const { blocks, total } = directory;
  for (let count = Math.ceil((sampleSize * blocks.length) / total); ; count *= 2) {
    if (count >= blocks.length) return blocks;
    const some = Array.from({ length: count }, (_, i) => blocks[Math.floor((i * blocks.length) / count)]!);
    if (some.reduce((sum, block) => sum + directory.liveIn(block), 0) >= sampleSize) return some;
  }
};
