/**
 * Bytes of which many neighbours are equal. A run of equal bytes takes two bytes: value and length.
 * Where that would be longer, each byte is stored by itself. The first byte says which.
 */
export type PackedBytes = Uint8Array;

const plain = 0;
const inRuns = 1;
const longestRun = 255;

export const noBytes: PackedBytes = new Uint8Array(0);

const runsOf = (bytes: Uint8Array): number[] => {
  const runs: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    let end = at + 1;
    while (end < bytes.length && bytes[end] === bytes[at] && end - at < longestRun) end++;
    runs.push(bytes[at]!, end - at);
    at = end;
  }
  return runs;
};

export const packBytes = (bytes: Uint8Array): PackedBytes => {
  if (bytes.length === 0) return noBytes;
  const runs = runsOf(bytes);
  return Uint8Array.from(runs.length < bytes.length ? [inRuns, ...runs] : [plain, ...bytes]);
};

export const unpackBytes = (packed: PackedBytes): Uint8Array => {
  if (packed[0] !== inRuns) return packed.slice(1);
  const bytes: number[] = [];
  for (let at = 1; at < packed.length; at += 2) {
    for (let i = 0; i < packed[at + 1]!; i++) bytes.push(packed[at]!);
  }
  return Uint8Array.from(bytes);
};

/** Changes some bytes, by their index. Missing bytes before them become 0. */
export const withBytes = (
  packed: PackedBytes,
  changes: Iterable<readonly [index: number, byte: number]>,
): PackedBytes => {
  const bytes = [...unpackBytes(packed)];
  for (const [index, byte] of changes) {
    while (bytes.length <= index) bytes.push(0);
    bytes[index] = byte;
  }
  return packBytes(Uint8Array.from(bytes));
};
