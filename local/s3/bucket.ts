import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Disk, discard, type Staged } from './blob-file.ts';
import { type EventHandler, EventOutbox } from './event-outbox.ts';
import { MultipartUploads } from './multipart-uploads.ts';
import { type CreationReason, type Origin, objectCreated } from './object-created.ts';
import { ObjectFolder } from './object-folder.ts';

/** Everything kept on disk: finished objects, unfinished uploads, events still to deliver. */
export class Bucket {
  readonly disk: Disk;
  readonly objects: ObjectFolder;
  readonly uploads: MultipartUploads;
  readonly outbox: EventOutbox;
  readonly #commits = new Map<string, Promise<void>>();

  private constructor(folder: string, durable: boolean, onObjectCreated: EventHandler) {
    this.disk = { staging: path.join(folder, 'staging'), durable };
    this.objects = new ObjectFolder(this.disk, path.join(folder, 'objects'));
    this.uploads = new MultipartUploads(this.disk, path.join(folder, 'uploads'));
    this.outbox = new EventOutbox(this.disk, path.join(folder, 'events'), onObjectCreated);
  }

  /** One process at a time: what is half-written in the folder is taken for the remains of a crash. */
  static async open(folder: string, durable: boolean, onObjectCreated: EventHandler): Promise<Bucket> {
    await rm(path.join(folder, 'staging'), { recursive: true, force: true });
    for (const part of ['staging', 'objects', 'uploads', 'events']) {
      await mkdir(path.join(folder, part), { recursive: true });
    }
    const bucket = new Bucket(folder, durable, onObjectCreated);
    await bucket.uploads.prune();
    await bucket.#redeliver();
    return bucket;
  }

  /** An event without its object was recorded by a request that died before its answer. */
  async #redeliver(): Promise<void> {
    for (const event of await this.outbox.pending()) {
      const exists = await this.objects.head(event.detail.object.key);
      if (exists) this.outbox.deliver(event);
      else await this.outbox.forget(event);
    }
  }

  /** The event is on disk before the object shows, and is delivered after it: no object without its event. */
  publish(staged: Staged, reason: CreationReason, origin: Origin): Promise<void> {
    return this.#inTurn(staged.blob.key, async () => {
      const event = objectCreated(staged.blob, reason, origin);
      try {
        await this.outbox.record(event);
        await this.objects.put(staged);
      } catch (error) {
        await this.outbox.forget(event);
        await discard(staged);
        throw error;
      }
      this.outbox.deliver(event);
    });
  }

  /** Writes of one key follow each other, so that the highest sequencer belongs to the object that stays. */
  #inTurn(key: string, write: () => Promise<void>): Promise<void> {
    const before = this.#commits.get(key) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(write);
    this.#commits.set(key, turn);
    const settled = () => {
      if (this.#commits.get(key) === turn) this.#commits.delete(key);
    };
    turn.then(settled, settled);
    return turn;
  }

  /** The stand-in for S3's lifecycle rules: what lies below the prefix and is older than that goes. */
  async sweep(prefix: string, olderThanMs: number): Promise<{ objects: number; uploads: number }> {
    const before = Date.now() - olderThanMs;
    const blobs = await this.objects.describe(await this.objects.keys(prefix));
    const objects = blobs.filter(({ modified }) => modified < before);
    for (const { key } of objects) await this.objects.delete(key);
    const uploads = (await this.uploads.list(prefix)).filter(({ initiated }) => initiated < before);
    for (const { uploadId } of uploads) await this.uploads.remove(uploadId);
    return { objects: objects.length, uploads: uploads.length };
  }
}
