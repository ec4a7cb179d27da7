import type { ImportRow, Reservation } from '../../domain/imports/contact-import.ts';
import { contactItem } from '../contacts/index.ts';
import { blockOfPhones } from '../directory/index.ts';
import type { Database, Item } from '../table/index.ts';
import { blockOf, blockSize, keys } from '../table/index.ts';

/** The rows of one import, each at its sequence number; `undefined` where the phone number was taken. */
export type PlacedRows = readonly (ImportRow | undefined)[];

/** A row and the sequence number set aside for it. */
export type RowPlace = { row: ImportRow; seq: number };

/** `isResumed`: an earlier run may have left guards that bear the import's id. */
export type Claimant = { dataSourceId: string; importId: string; isResumed: boolean };

const guardOf = ({ dataSourceId, importId }: Claimant, { row, seq }: RowPlace): Item => ({
  ...keys.phone(dataSourceId, row.phoneNumber),
  seq,
  importId,
});

/**
 * Claims the phone number of each row, and answers which rows have theirs. A number that is taken is read
 * only where the guard may be the import's own; one freed in between is claimed like any free one.
 */
export const claimPhones = async (
  database: Database,
  claimant: Claimant,
  places: readonly RowPlace[],
): Promise<boolean[]> => {
  const { dataSourceId, importId, isResumed } = claimant;
  const claimed = new Array<boolean>(places.length).fill(false);
  let open = [...places.keys()];
  while (open.length > 0) {
    const insertions = await database.insertAll(open.map((at) => guardOf(claimant, places[at]!)));
    open.forEach((at, i) => {
      claimed[at] = insertions[i] === 'inserted';
    });
    const perhapsOwn = open.filter(
      (_, i) => insertions[i] === 'unsure' || (isResumed && insertions[i] === 'taken'),
    );
    const holders = await database.batchGet(
      perhapsOwn.map((at) => keys.phone(dataSourceId, places[at]!.row.phoneNumber)),
    );
    perhapsOwn.forEach((at, i) => {
      claimed[at] = holders[i]?.importId === importId;
    });
    open = perhapsOwn.filter((_, i) => holders[i] === undefined);
  }
  return claimed;
};

const inBlocks = (rows: PlacedRows): PlacedRows[] =>
  Array.from({ length: Math.ceil(rows.length / blockSize) }, (_, at) =>
    rows.slice(at * blockSize, (at + 1) * blockSize),
  );

/** How many contacts each block of the rows holds. */
export const liveOfBlocks = (rows: PlacedRows): number[] =>
  inBlocks(rows).map((block) => block.filter((row) => row !== undefined).length);

/**
 * Writes contacts and phone blocks of rows that begin with a block; nobody sees them before the directory
 * counts their blocks.
 */
export const writeRows = async (
  database: Database,
  dataSourceId: string,
  rows: PlacedRows,
  { firstSeq, time }: Pick<Reservation, 'firstSeq' | 'time'>,
): Promise<void> => {
  const contacts = rows.flatMap((row, at) =>
    row === undefined ? [] : contactItem(dataSourceId, firstSeq + at, row, time),
  );
  const blocks = inBlocks(rows).flatMap((block, at) => {
    const key = keys.block(dataSourceId, blockOf(firstSeq) + at);
    const bytes = blockOfPhones(block.map((row) => row?.phoneNumber));
    return block.every((row) => row === undefined) ? [] : { ...key, bytes, v: 1 };
  });
  await database.putAll([...contacts, ...blocks]);
};
