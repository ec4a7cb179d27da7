import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { longestIn } from './directory-page.ts';
import { mayHavePhone, type Numbering } from './rules/phone-number.ts';

/** A contact that has the number, or that an unfinished import is about to add. */
export type NumberHolder = { dataSourceId: string; seq: number };

/**
 * Where a number is, in any spelling. A spelling that is longer than every number of a data source
 * is not looked up there. An import raises the length before it claims its numbers. Where there is
 * one spelling only, the directories are not read.
 */
export const findNumber = async (
  database: Database,
  { spellings }: Numbering,
  phoneNumber: string,
  dataSourceIds: readonly string[],
): Promise<NumberHolder[]> => {
  const texts = spellings(phoneNumber);
  const pages =
    texts.length > 1
      ? await database.batchGet(dataSourceIds.map((id) => keys.directoryPage(id, 0)))
      : undefined;
  const guards = dataSourceIds.flatMap((dataSourceId, i) =>
    texts
      .filter((text) => pages === undefined || mayHavePhone(longestIn(pages[i]), text))
      .map((text) => ({ dataSourceId, key: keys.phone(dataSourceId, text) })),
  );
  const items = await database.batchGet(guards.map(({ key }) => key));
  return guards.flatMap(({ dataSourceId }, i) => {
    const seq = items[i]?.seq as number | undefined;
    return seq === undefined ? [] : [{ dataSourceId, seq }];
  });
};
