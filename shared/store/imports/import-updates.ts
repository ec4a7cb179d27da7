import { patched } from '../../domain/contacts/contact.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ImportRow } from '../../domain/imports/contact-import.ts';
import { type FailedRow, oversizedRow } from '../../domain/imports/failed-row.ts';
import { contactOfItem } from '../contacts/index.ts';
import type { Database, Item, VersionedUpdate } from '../table/index.ts';
import { backoff, keys } from '../table/index.ts';
import { type Claimant, claimPhones, type RowPlace } from './import-rows.ts';

/** What a row comes to: a new contact at its place, a contact that has its fields now, or a failure. */
export type RowResult = 'added' | 'updated' | FailedRow;

/** Whether the contact has all that the row says, once this import has been at it. */
type Merged = 'done' | FailedRow | VersionedUpdate;

/** Each contact remembers the last import that changed it, so that none does so twice. */
const mergedInto = (
  item: Item,
  row: ImportRow,
  { dataSourceId, importId }: Claimant,
  now: number,
): Merged => {
  if (item.importId === importId) return 'done';
  const contact = contactOfItem(dataSourceId, item);
  try {
    const { fields } = patched(contact, { changes: new Map(Object.entries(row.fields)) });
    const text = JSON.stringify(fields);
    if (text === item.fields) return 'done';
    const { pk, sk, v } = item;
    return { key: { pk, sk }, version: v as number, set: { fields: text, updated: now, importId } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return oversizedRow(row, error.message);
  }
};

/** A row and the guard of the contact that bears its phone number. */
type TakenRow = { row: ImportRow; guard: Item };

/** What rows whose phone numbers are taken come to; `undefined`: the contact has gone meanwhile. */
export const mergeWithContacts = async (
  database: Database,
  claimant: Claimant,
  taken: readonly TakenRow[],
  now: number,
): Promise<(Merged | undefined)[]> => {
  const contacts = await database.batchGet(
    taken.map(({ guard }) => keys.contact(claimant.dataSourceId, guard.seq as number)),
  );
  return taken.map(({ row }, i) => {
    const item = contacts[i];
    return item?.phone === row.phoneNumber ? mergedInto(item, row, claimant, now) : undefined;
  });
};

export const readGuards = (database: Database, dataSourceId: string, rows: readonly ImportRow[]) =>
  database.batchGet(rows.map(({ phoneNumber }) => keys.phone(dataSourceId, phoneNumber)));

type Results = (readonly [RowPlace, RowResult])[];

const addFree = async (
  database: Database,
  claimant: Claimant,
  places: readonly RowPlace[],
): Promise<Results> => {
  const claimed = await claimPhones(database, claimant, places);
  return places.filter((_, i) => claimed[i]).map((place) => [place, 'added']);
};

const updateTaken = async (
  database: Database,
  claimant: Claimant,
  taken: readonly (RowPlace & TakenRow)[],
  now: number,
): Promise<Results> => {
  const merged = await mergeWithContacts(database, claimant, taken, now);
  const updates = taken.flatMap((place, i) => {
    const update = merged[i];
    return typeof update === 'object' && 'key' in update ? [{ place, update }] : [];
  });
  const made = await database.updateAll(updates.map(({ update }) => update));
  const settled = taken.flatMap((place, i): Results => {
    const result = merged[i];
    if (result === undefined || (typeof result === 'object' && 'key' in result)) return [];
    return [[place, result === 'done' ? 'updated' : result]];
  });
  return [...settled, ...updates.filter((_, i) => made[i]).map(({ place }) => [place, 'updated'] as const)];
};

/**
 * Claims the phone numbers that are free, and gives the contacts that bear the others the fields of their
 * rows, in the version that was read. What others change meanwhile is looked at again.
 */
export const addOrUpdate = async (
  database: Database,
  claimant: Claimant,
  places: readonly RowPlace[],
  now: number,
): Promise<RowResult[]> => {
  const results = new Map<number, RowResult>();
  for (let tries = 0, open = places; open.length > 0; tries++) {
    if (tries > 0) await backoff(tries);
    const guards = await readGuards(
      database,
      claimant.dataSourceId,
      open.map(({ row }) => row),
    );
    const isOwn = (guard: Item) => guard.importId === claimant.importId;
    const free = open.filter((_, i) => guards[i] === undefined);
    const taken = open.flatMap((place, i) => (guards[i] ? [{ ...place, guard: guards[i] }] : []));
    const settled = [
      ...taken.filter(({ guard }) => isOwn(guard)).map((place) => [place, 'added'] as const),
      ...(await addFree(database, claimant, free)),
      ...(await updateTaken(
        database,
        claimant,
        taken.filter(({ guard }) => !isOwn(guard)),
        now,
      )),
    ];
    for (const [{ seq }, result] of settled) results.set(seq, result);
    open = open.filter(({ seq }) => !results.has(seq));
  }
  return places.map(({ seq }) => results.get(seq)!);
};
