import type { Attributes } from '../platform/table/item-reader.ts';
import { callPartEnds, keys } from '../platform/table/keys.ts';

/** The text of a key, or how it begins or ends, as in the filter of the table's stream. */
type KeyText = string | { prefix: string } | { suffix: string };

type ChangeWithEvents = {
  change: 'INSERT' | 'MODIFY' | 'REMOVE';
  key: 'pk' | 'sk';
  texts: readonly KeyText[];
};

/**
 * The changes of the table that may become events. Most writes are of contacts, of which no event
 * is made, so they do not start a function. Deleted items of a task or data source are no events
 * either, except its record.
 */
export const changesWithEvents: readonly ChangeWithEvents[] = [
  // A task, its contacts, or a webhook changed.
  { change: 'MODIFY', key: 'pk', texts: [{ prefix: keys.task('').pk }, keys.webhooks] },
  // A call ended.
  { change: 'INSERT', key: 'pk', texts: callPartEnds.map((suffix) => ({ suffix })) },
  // An import went on.
  { change: 'MODIFY', key: 'sk', texts: [{ prefix: keys.import('', '').sk }] },
  // A task or a data source was deleted.
  { change: 'REMOVE', key: 'sk', texts: [keys.task('').sk] },
  // An erasure ended.
  { change: 'REMOVE', key: 'pk', texts: [keys.erasures] },
];

/** Marks an item that a copy is about to delete. No change of such an item is an event. */
export const clearedMark = 'cleared';

/** Marks a copied item whose insertion would be an event: the record of a call. */
export const copiedMark = 'copied';

/** An item before and after a write, with typed attribute values as the table's stream has them. */
export type ImageChange = { before?: Attributes | undefined; after?: Attributes | undefined };

const changeIn = ({ before, after }: ImageChange): ChangeWithEvents['change'] => {
  if (before === undefined) return 'INSERT';
  return after === undefined ? 'REMOVE' : 'MODIFY';
};

const fits = (text: string, asked: KeyText): boolean => {
  if (typeof asked === 'string') return text === asked;
  return 'prefix' in asked ? text.startsWith(asked.prefix) : text.endsWith(asked.suffix);
};

/** Whether a change may become an event. The copies and deletions of a restore do not. */
export const mayMakeEvents = (change: ImageChange): boolean => {
  const image = change.after ?? change.before;
  const happened = changeIn(change);
  if (image?.[happened === 'INSERT' ? copiedMark : clearedMark] !== undefined) return false;
  return changesWithEvents.some(({ change: asked, key, texts }) => {
    const text = String(image?.[key]?.S ?? '');
    return asked === happened && texts.some((each) => fits(text, each));
  });
};
