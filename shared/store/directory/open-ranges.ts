import type { Database, Item } from '../table/index.ts';
import { keys } from '../table/index.ts';

/** Sequence numbers that an unfinished import has reserved. */
export type OpenRange = {
  firstSeq: number;
  endSeq: number;
  importId: string;
  /** The import changes existing contacts, so no other import may run at the same time. */
  isAlone: boolean;
};

export const openRangeItem = (dataSourceId: string, { firstSeq, isAlone, ...range }: OpenRange): Item => ({
  ...keys.openRange(dataSourceId, firstSeq),
  ...range,
  ...(isAlone ? { isAlone } : {}),
});

export const readOpenRanges = async (database: Database, dataSourceId: string): Promise<OpenRange[]> => {
  const items = await database.queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': keys.dataSource(dataSourceId).pk, ':prefix': keys.openRangePrefix },
  });
  return items.map(({ sk, endSeq, importId, isAlone }) => ({
    firstSeq: Number(sk.slice(keys.openRangePrefix.length)),
    endSeq: endSeq as number,
    importId: importId as string,
    isAlone: isAlone === true,
  }));
};
