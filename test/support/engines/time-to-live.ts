import type { Command } from '../../../local/dynamodb/embedded-client.ts';
import { tableDefinition } from '../../../shared/platform/table/table.ts';

type Named = Record<string, unknown>;

/** In seconds. The clocks of all tests are in between, and a time in milliseconds is far above. */
const [earliest, latest] = [Date.UTC(2001, 0) / 1000, Date.UTC(2100, 0) / 1000];

const { timeToLive } = tableDefinition;

/** Of an item that is put, or of an update that sets it; in a command or in any part of it. */
const timesToLiveIn = (part: Named): unknown[] => {
  const { Item, UpdateExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = part;
  const put = (Item as Named | undefined)?.[timeToLive] ?? [];
  const alias = Object.entries(ExpressionAttributeNames as Named).find(
    ([, name]) => name === timeToLive,
  )?.[0];
  const value = alias && new RegExp(`${alias} = (:\\w+)`).exec(String(UpdateExpression))?.[1];
  const set = value ? (ExpressionAttributeValues as Named)[value] : [];
  const { TransactItems = [], RequestItems = {} } = part as Record<'TransactItems' | 'RequestItems', Named>;
  const parts = [...Object.values(TransactItems), ...Object.values(RequestItems)].flat() as Named[];
  const writes = parts.flatMap((each) => Object.values(each)) as Named[];
  return [put, set, ...writes.map(timesToLiveIn)].flat();
};

/** So each write of each test shows that its item is removed in its time. @throws when a time to live is not in seconds */
export const assertTimesToLive = ({ input }: Command): void => {
  for (const time of timesToLiveIn(input as Named))
    if (typeof time !== 'number' || !(time > earliest && time < latest))
      throw new Error(`${timeToLive} must be a time in seconds: ${time}`);
};
