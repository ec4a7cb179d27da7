import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { discard, type Staged } from './blob-file.ts';
import { MultipartUploads } from './multipart-uploads.ts';
import { type CreationReason, type ObjectCreated, type Origin, objectCreated } from './object-created.ts';
import { ObjectFolder } from './object-folder.ts';

export type EventHandler = (event: ObjectCreated) => void;

/** Finished objects and unfinished uploads, in a folder. */
export class Bucket {
  readonly staging: string;
  readonly objects: ObjectFolder;
  readonly uploads: MultipartUploads;
  readonly #onObjectCreated: EventHandler;

  private constructor(folder: string, onObjectCreated: EventHandler) {
    this.staging = path.join(folder, 'staging');
    this.objects = new ObjectFolder(path.join(folder, 'objects'));
    this.uploads = new MultipartUploads(this.staging, path.join(folder, 'uploads'));
    this.#onObjectCreated = onObjectCreated;
  }

  static async open(folder: string, onObjectCreated: EventHandler): Promise<Bucket> {
    for (const part of ['staging', 'objects', 'uploads']) {
      await mkdir(path.join(folder, part), { recursive: true });
    }
    return new Bucket(folder, onObjectCreated);
  }

  async publish(staged: Staged, reason: CreationReason, origin: Origin): Promise<void> {
    try {
      await this.objects.put(staged);
    } catch (error) {
      await discard(staged);
      throw error;
    }
    this.#onObjectCreated(objectCreated(staged.blob, reason, origin));
  }
}
