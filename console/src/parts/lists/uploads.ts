import { createStore, useStore } from '../../base/store.ts';

/** A file on its way to storage: bytes that were sent of all, and how to stop it. */
type Upload = { loaded: number; total: number; stop: () => void };

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

type Seen = { time: number; done: number };

/** By the id of an import and all that is to be done: what was done when it was first seen, and when it had last got further. */
const seen = new Map<string, { first: Seen; last: Seen }>();

/** A time to go that is told earlier jumps. */
const leastMs = 3000;

/**
 * Seconds until all is done, at the speed since the import was first seen on any screen; `undefined` until that can be told.
 * What is done was read a moment before it is shown, so the speed is taken from one reading to another.
 */
export const timeToGo = (importId: string, done: number, all: number, time = Date.now()) => {
  const now = { time, done };
  const { first, last } = seen.get(`${importId} ${all}`) ?? { first: now, last: now };
  const latest = done > last.done ? now : last;
  seen.set(`${importId} ${all}`, { first, last: latest });
  const ms = latest.time - first.time;
  return ms < leastMs ? undefined : ((all - done) * ms) / (latest.done - first.done) / 1000;
};
