import type { Item } from './database.ts';

/** A typed value as streams carry it; exactly one member is there. Sets and binaries are left aside. */
export type StoredValue = {
  S?: string | undefined;
  N?: string | undefined;
  BOOL?: boolean | undefined;
  NULL?: boolean | undefined;
  L?: readonly StoredValue[] | undefined;
  M?: { readonly [name: string]: StoredValue } | undefined;
};
export type StoredImage = Readonly<Record<string, StoredValue>>;

const plainValue = ({ S, N, BOOL, NULL, L, M }: StoredValue): unknown => {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (NULL !== undefined) return null;
  if (L !== undefined) return L.map(plainValue);
  return M && plainMap(M);
};

const plainMap = (image: StoredImage) =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainValue(value)]));

/** An item of ours out of its image in a stream. */
export const itemOfImage = (image: StoredImage): Item => plainMap(image) as Item;
