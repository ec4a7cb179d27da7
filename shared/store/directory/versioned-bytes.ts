import type { Condition, Item, Key } from '../table/index.ts';
import { ifUnchanged } from '../table/index.ts';

/** An item of packed bytes that is replaced whole, and only in the version that was read. */
export type VersionedBytes = { bytes: Uint8Array; version: number | undefined };

export const bytesOfItem = (item: Item | undefined): VersionedBytes => ({
  bytes: (item?.bytes as Uint8Array | undefined) ?? new Uint8Array(0),
  version: item?.v as number | undefined,
});

/** The item that follows what was read, and the condition that nobody wrote it since. */
export const nextVersion = (
  key: Key,
  read: VersionedBytes,
  bytes: Uint8Array,
  others: Record<string, unknown> = {},
): [item: Item, condition: Condition] => [
  { ...key, ...others, bytes, v: (read.version ?? 0) + 1 },
  ifUnchanged(read.version),
];
