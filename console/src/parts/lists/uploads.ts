import { createStore, useStore } from '../../base/store.ts';

/** A file on its way to storage: bytes that were sent of all, and how to stop it. */
export type Upload = { loaded: number; total: number; stop: () => void };

/** By the id of their imports: an upload goes on although the reader leaves the screen that began it. */
const uploads = createStore<ReadonlyMap<string, Upload>>(new Map());

export const noteUpload = (importId: string, upload: Upload | undefined): void => {
  const next = new Map(uploads.get());
  if (upload === undefined) next.delete(importId);
  else next.set(importId, upload);
  uploads.set(next);
};

export const stopUpload = (importId: string): void => uploads.get().get(importId)?.stop();

export const useUpload = (importId: string): Upload | undefined => useStore(uploads).get(importId);
