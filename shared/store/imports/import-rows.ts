import type { ImportRow, Reservation } from '../../domain/contact-import.ts';
import { blockOfPhones } from '../../domain/phone-block.ts';
import { contactItem } from '../contacts/contact-items.ts';
import type { Database, Item } from '../database.ts';
import { blockOf, blockSize, keys } from '../keys.ts';

/** The rows of one import, each at its sequence number; `undefined` where the phone number was taken. */
export type PlacedRows = readonly (ImportRow | undefined)[];

/** `isResumed`: an earlier run may have left guards that bear the import's id. */
type Claimant = { dataSourceId: string; importId: string; firstSeq: number; isResumed: boolean };

const guardOf = (
  { dataSourceId, importId, firstSeq }: Claimant,
  { phoneNumber }: ImportRow,
  at: number,
): Item => ({
  ...keys.phone(dataSourceId, phoneNumber),
  seq: firstSeq + at,
  importId,
});

/**
 * Claims the phone number of each row, and answers which rows have theirs. A number that is taken is read
 * only where the guard may be the import's own; one freed in between is claimed like any free one.
 */
export const claimPhones = async (
  database: Database,
  claimant: Claimant,
  rows: readonly ImportRow[],
): Promise<PlacedRows> => {
  const { dataSourceId, importId, isResumed } = claimant;
  const claimed = new Array<boolean>(rows.length).fill(false);
  let open = [...rows.keys()];
  while (open.length > 0) {
    const insertions = await database.insertAll(open.map((at) => guardOf(claimant, rows[at]!, at)));
    open.forEach((at, i) => {
      claimed[at] = insertions[i] === 'inserted';
    });
    const perhapsOwn = open.filter(
      (_, i) => insertions[i] === 'unsure' || (isResumed && insertions[i] === 'taken'),
    );
    const holders = await database.batchGet(
      perhapsOwn.map((at) => keys.phone(dataSourceId, rows[at]!.phoneNumber)),
    );
    perhapsOwn.forEach((at, i) => {
      claimed[at] = holders[i]?.importId === importId;
    });
    open = perhapsOwn.filter((_, i) => holders[i] === undefined);
  }
  return rows.map((row, at) => (claimed[at] ? row : undefined));
};

/** How many contacts each block of the reservation holds. */
export const liveOfBlocks = (rows: PlacedRows, { blocks }: Reservation): number[] =>
  Array.from(
    { length: blocks },
    (_, at) => rows.slice(at * blockSize, (at + 1) * blockSize).filter((row) => row !== undefined).length,
  );

/** Writes contacts and phone blocks; nobody sees them before the directory counts their blocks. */
export const writeRows = async (
  database: Database,
  dataSourceId: string,
  rows: PlacedRows,
  reservation: Reservation,
): Promise<void> => {
  const { firstSeq, time } = reservation;
  const contacts = rows.flatMap((row, at) =>
    row === undefined ? [] : contactItem(dataSourceId, firstSeq + at, row, time),
  );
  const blocks = liveOfBlocks(rows, reservation).flatMap((live, at) => {
    const phones = rows.slice(at * blockSize, (at + 1) * blockSize).map((row) => row?.phoneNumber);
    const key = keys.block(dataSourceId, blockOf(firstSeq) + at);
    return live === 0 ? [] : { ...key, bytes: blockOfPhones(phones), v: 1 };
  });
  await database.putAll([...contacts, ...blocks]);
};
