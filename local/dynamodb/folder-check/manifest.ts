import { Numbers } from './numbers.ts';

/** What a LevelDB consists of: its table files by number, with their sizes, and its first log that holds data. */
export type Manifest = { tables: Map<number, number>; logNumber: number | undefined };

const tag = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  pointer: 5,
  deleted: 6,
  added: 7,
  previousLog: 9,
};

/** Applies one edit, a list of tags with numbers and texts. Stops at a tag that it does not know. */
const apply = (edit: Buffer, manifest: Manifest): void => {
  const numbers = new Numbers(edit);
  while (!numbers.isAtEnd) {
    switch (numbers.next()) {
      case tag.comparator:
        numbers.skipText();
        break;
      case tag.logNumber:
        manifest.logNumber = numbers.next();
        break;
      case tag.nextFile:
      case tag.lastSequence:
      case tag.previousLog:
        numbers.next();
        break;
      case tag.pointer:
        numbers.next();
        numbers.skipText();
        break;
      case tag.deleted:
        numbers.next();
        manifest.tables.delete(numbers.next());
        break;
      case tag.added: {
        numbers.next();
        const number = numbers.next();
        manifest.tables.set(number, numbers.next());
        // The first and the last key.
        numbers.skipText();
        numbers.skipText();
        break;
      }
      default:
        return;
    }
  }
};

/** @param edits the records of the manifest's file, in order */
export const manifestOf = (edits: readonly Buffer[]): Manifest => {
  const manifest: Manifest = { tables: new Map(), logNumber: undefined };
  for (const edit of edits) apply(edit, manifest);
  return manifest;
};
