import type { ImportRow, Reservation } from '../../domain/contact-import.ts';
import { blockOfPhones } from '../../domain/phone-block.ts';
import { contactItem } from '../contacts/contact-items.ts';
import type { Database, Item } from '../database.ts';
import { blockOf, blockSize, keys } from '../keys.ts';

/** The rows of one import, each at its sequence number; `undefined` where the phone number was taken. */
export type PlacedRows = readonly (ImportRow | undefined)[];

const guardOf = (dataSourceId: string, importId: string, { phoneNumber }: ImportRow, seq: number): Item => ({
  ...keys.phone(dataSourceId, phoneNumber),
  seq,
  importId,
});

/**
 * Claims the phone number of each row, and answers which rows have theirs. Done again, it finds the
 * guards it left and claims the rest; a number freed in between is claimed like any free one.
 */
export const claimPhones = async (
  database: Database,
  dataSourceId: string,
  importId: string,
  rows: readonly ImportRow[],
  firstSeq: number,
): Promise<PlacedRows> => {
  const claimed = new Array<boolean>(rows.length).fill(false);
  let open = [...rows.keys()];
  while (open.length > 0) {
    const guards = open.map((at) => guardOf(dataSourceId, importId, rows[at]!, firstSeq + at));
    const inserted = await database.insertAll(guards);
    const refused = open.filter((_, i) => !inserted[i]);
    open.forEach((at, i) => {
      if (inserted[i]) claimed[at] = true;
    });
    const holders = await database.batchGet(
      refused.map((at) => keys.phone(dataSourceId, rows[at]!.phoneNumber)),
    );
    refused.forEach((at, i) => {
      claimed[at] = holders[i]?.importId === importId;
    });
    open = refused.filter((_, i) => holders[i] === undefined);
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
