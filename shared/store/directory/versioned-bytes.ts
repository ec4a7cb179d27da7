import type { Condition, Item, Key } from '../table/index.ts';
import { ifUnchanged } from '../table/index.ts';

/** An item of packed bytes. It is replaced whole, and only if it still has the version that was read. */
export type VersionedBytes = { bytes: Uint8Array; version: number | undefined };

export const bytesOfItem = (item: Item | undefined): VersionedBytes => ({
  bytes: (item?.bytes as Uint8Array | undefined) ?? new Uint8Array(0),
  version: item?.v as number | undefined,
});

/** The next version of the item, and the condition that it still has the version that was read. */
export const nextVersion = (
  key: Key,
  read: VersionedBytes,
  bytes: Uint8Array,
  others: Record<string, unknown> = {},
): [item: Item, condition: Condition] => [
  { ...key, ...others, bytes, v: (read.version ?? 0) + 1 },
  ifUnchanged(read.version),
];
