import { noBytes, type PackedBytes, packBytes, unpackBytes, withBytes } from '../table/index.ts';

/**
 * The number of contacts in each block of a directory page. Imported blocks are nearly all full, so runs of equal
 * counts are packed. Small pages matter: every list and search reads all pages of its data source.
 */
export type LiveCounts = PackedBytes;

export const noCounts: LiveCounts = noBytes;
export const packCounts: (counts: Uint8Array) => LiveCounts = packBytes;
/** One count for each block. */
export const countsOf: (packed: LiveCounts) => Uint8Array = unpackBytes;
/** The counts with some of them changed, by the number of their block. */
export const withCounts = withBytes;
