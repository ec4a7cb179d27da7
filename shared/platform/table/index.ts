/**
 * The table, without a rule of the service. What other rooms may rely on:
 *
 * - `Database`: reads see every write before them, except reads of the index and of `lagging`. A write whose condition fails
 *   throws `Lost` and has changed nothing. Batches are complete, or they throw: items that DynamoDB did not process are
 *   sent again.
 * - `optimistic` repeats read, decide and write while other writers are faster. `transactNamed` says which condition of a
 *   transaction failed. `unlessLost` and `tryWrite` make one write whose condition may fail.
 * - `ClaimAttributes`: an exclusive right to work on something, which expires by itself. A late owner does no harm if each
 *   of its writes asks for `ifOwnedBy`.
 * - `NamedRecords` and `NumberedList`: records with a unique name, listed with exact totals, page by page.
 * - `keys`: the keys of all items, declared in one place.
 * - `assertFormat`: no function works on data of another version's format.
 */
export type { VersionedUpdate } from './batches.ts';
export * from './concurrency.ts';
export { clearedMark, copiedMark, copyTable } from './copy-table.ts';
export * from './data-format.ts';
export { Database, documentClient, Lost, type TableClient, type TransactItem } from './database.ts';
export * from './expressions.ts';
export * from './groups.ts';
export { type Attributes, type AttributeValue, itemOf, plainOf } from './item-reader.ts';
export * from './keys.ts';
export * from './named-records.ts';
export { type NumberedHeader, NumberedList } from './numbered-list.ts';
export * from './optimistic.ts';
export * from './packed-bytes.ts';
export * from './table.ts';
