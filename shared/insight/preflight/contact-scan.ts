import type { Contacts } from '../../contacts/contacts.ts';
import { readContactRange } from '../../contacts/contacts-by-seq.ts';
import type { Directory } from '../../contacts/directory.ts';
import { packPhone } from '../../contacts/phone-block.ts';
import type { Contact } from '../../contacts/rules/contact.ts';
import { type ContactFilter, isSelected } from '../../contacts/rules/contact-filter.ts';
import { hasUnreadableTime, ownTimesOf } from '../../contacts/rules/own-times.ts';
import { concurrently } from '../../platform/table/concurrency.ts';
import type { Database } from '../../platform/table/database.ts';
import { blockSize } from '../../platform/table/keys.ts';
import type { Instant } from '../../platform/time/time.ts';
import type { PhoneList } from './phone-list.ts';

/** Up to that many contacts are all read. */
const readAtMost = 100_000;
/** Of more contacts, at least that many are read. */
const sampleSize = 20_000;
const queriesAtOnce = 16;

/**
 * What the fields of the contacts say. `at` and `isOver` take an index of the phone numbers.
 * `share`: how many of the contacts that `at` accepts match the filter; below 1 where only a part
 * of the contacts was read.
 */
export type Scan = {
  at: (index: number) => boolean;
  /** The `callBefore` of the contact has passed. Unknown if only some contacts were read. */
  isOver: (index: number) => boolean;
  share: number;
  /** Selected contacts with an own time that is no date or time. */
  unreadableTimes: number;
  isEstimated: boolean;
};

/** `hasOwnTimes`: some contacts say from when or until when they may be called. */
type Source = {
  database: Database;
  contacts: Contacts;
  dataSourceId: string;
  directory: Directory;
  hasOwnTimes: boolean;
  /** IANA name, of the service. */
  zone: string;
};

const unread: Scan = {
  at: () => true,
  isOver: () => false,
  share: 1,
  unreadableTimes: 0,
  isEstimated: false,
};

/** The contacts are read only where their fields decide something. */
export const scanFields = async (
  source: Source,
  filter: ContactFilter = [],
  numbers: PhoneList,
  now: Instant,
): Promise<Scan> => {
  if (filter.length === 0 && !source.hasOwnTimes) return unread;
  if (numbers.size > readAtMost) return sampled(source, filter);
  const matching = new Uint8Array(numbers.size);
  const over = new Uint8Array(numbers.size);
  let unreadableTimes = 0;
  for await (const some of source.contacts.scan(source.dataSourceId)) {
    for (const contact of some) {
      const index = numbers.indexOf(packPhone(contact.phoneNumber));
      if (index === undefined || !isSelected(filter, contact)) continue;
      matching[index] = 1;
      if (isOver(contact, source.zone, now)) over[index] = 1;
      if (hasUnreadableTime(contact.fields)) unreadableTimes++;
    }
  }
  const at = (index: number) => matching[index] === 1;
  return { at, isOver: (index) => over[index] === 1, share: 1, unreadableTimes, isEstimated: false };
};

const isOver = ({ fields }: Contact, zone: string, now: Instant): boolean => {
  const { before } = ownTimesOf(fields, zone);
  return before !== undefined && before <= now;
};

/** By the contacts of blocks that lie evenly apart. */
const sampled = async (source: Source, filter: ContactFilter): Promise<Scan> => {
  const { database, dataSourceId, directory } = source;
  const read = await concurrently(sampledBlocks(directory), queriesAtOnce, (block) =>
    readContactRange(database, dataSourceId, block * blockSize, (block + 1) * blockSize - 1),
  );
  const contacts: Contact[] = read.flat();
  const matching = contacts.filter((contact) => isSelected(filter, contact));
  const unreadable = matching.filter(({ fields }) => hasUnreadableTime(fields)).length;
  const readCount = Math.max(1, contacts.length);
  return {
    ...unread,
    share: matching.length / readCount,
    unreadableTimes: Math.round((unreadable / readCount) * directory.total),
    isEstimated: true,
  };
};

/** Blocks with at least `sampleSize` contacts, more of them if many were deleted. */
const sampledBlocks = (directory: Directory): number[] => {
  const { blocks, total } = directory;
  for (let count = Math.ceil((sampleSize * blocks.length) / total); ; count *= 2) {
    if (count >= blocks.length) return blocks;
    const some = Array.from({ length: count }, (_, i) => blocks[Math.floor((i * blocks.length) / count)]!);
    if (some.reduce((sum, block) => sum + directory.liveIn(block), 0) >= sampleSize) return some;
  }
};
