import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Disk, inOneChunk, orIfMissing, writeWhole } from './whole-file.ts';

/** A file with content of this digest was found; `sequencer` names its import. */
export type Drop = { digest: string; sequencer: string; isImported: boolean };

/** `drops.json` in the data folder: which files of the drop folder are known. */
export class DropLedger {
  /** By key. */
  readonly drops: Map<string, Drop>;
  readonly #write: () => Promise<unknown>;
  #saving: Promise<unknown> = Promise.resolve();

  private constructor(text: string, write: (text: string) => Promise<unknown>) {
    this.drops = new Map(JSON.parse(text) as [string, Drop][]);
    this.#write = () => write(JSON.stringify([...this.drops]));
  }

  static async open(root: string, disk: Disk): Promise<DropLedger> {
    const file = path.join(root, 'drops.json');
    const text = await readFile(file, 'utf8').catch(orIfMissing('[]'));
    return new DropLedger(text, (changed) => writeWhole(disk, file, inOneChunk(changed)));
  }

  /** Once this returns, changes of `drops` outlive a crash. The latest state is written last. */
  async save(): Promise<void> {
    this.#saving = this.#saving.catch(() => {}).then(this.#write);
    await this.#saving;
  }
}
