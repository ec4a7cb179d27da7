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
export { ClaimAttributes, type ClaimRequest } from './claim.ts';
export { allEnded, backoff, concurrently, KeyedQueue, readAhead } from './concurrency.ts';
export { clearedMark, copiedMark, copyTable } from './copy-table.ts';
export {
  assertFormat,
  dataFormat,
  type Migration,
  migrateBy,
  OtherDataFormat,
  ofBefore,
  readSetUpTime,
  setUpTable,
  tooNew,
  tooOld,
} from './data-format.ts';
export { Database, Lost, type TableClient, type TransactItem } from './database.ts';
export { documentClient } from './document-client.ts';
export {
  additionOf,
  allOf,
  anyOf,
  type Condition,
  ifAbsent,
  ifAbsentOrExpired,
  ifPresent,
  ifUnchanged,
  keyRange,
  onlyIf,
  partitionRange,
  prefixRange,
  type Range,
  setAttributes,
  setIfUnchanged,
  type Update,
} from './expressions.ts';
export { groupedBy, nearRuns } from './groups.ts';
export { type Attributes, type AttributeValue, itemOf, plainOf } from './item-reader.ts';
export {
  blockOf,
  blockSize,
  blocksPerPage,
  callPartEnds,
  callParts,
  chunkOf,
  contactsPerChunk,
  counterGroups,
  freedParts,
  type Item,
  isCallKey,
  type Key,
  type Kind,
  keys,
  pageOf,
  secondKey,
  seqKey,
  seqsPerPage,
  slotOf,
  timeKey,
} from './keys.ts';
export {
  type Decision,
  type Header,
  NamedRecords,
  type Requirement,
  recordOf,
  useOf,
} from './named-records.ts';
export { type NumberedHeader, NumberedList } from './numbered-list.ts';
export {
  isContended,
  isLost,
  optimistic,
  transactNamed,
  tryWrite,
  tryWriteOnce,
  unlessLost,
  unlessLostOnce,
} from './optimistic.ts';
export { noBytes, packBytes, unpackBytes, withBytes } from './packed-bytes.ts';
export { createTableInput, tableDefinition } from './table.ts';
