import type { Command } from '../../../local/dynamodb/embedded-client.ts';
import { type Item, type Key, mustExpire } from '../../../shared/platform/table/keys.ts';
import { tableDefinition } from '../../../shared/platform/table/table.ts';

type Named = Record<string, unknown>;
/** A put or an update, alone or as a part of a transaction or a batch. */
type Write = {
  Item?: Item;
  Key?: Key;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Named;
  ExpressionAttributeValues?: Named;
  TransactItems?: Record<string, Write>[];
  RequestItems?: Record<string, Record<string, Write>[]>;
};

/** In seconds. The clocks of all tests are in between, and a time in milliseconds is far above. */
const [earliest, latest] = [Date.UTC(2001, 0) / 1000, Date.UTC(2100, 0) / 1000];

const { timeToLive } = tableDefinition;

const writesIn = (write: Write): Write[] => {
  const { TransactItems, RequestItems } = write;
  if (TransactItems === undefined && RequestItems === undefined) return [write];
  const parts = [...(TransactItems ?? []), ...Object.values(RequestItems ?? {}).flat()];
  return parts.flatMap((part) => Object.values(part)).flatMap(writesIn);
};

/** The time to live that an item is put with, or that an update sets. */
const timeSetBy = (write: Write): unknown => {
  if (write.Item !== undefined) return write.Item[timeToLive];
  const { UpdateExpression, ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = write;
  if (UpdateExpression === undefined) return undefined;
  const alias = Object.keys(ExpressionAttributeNames).find(
    (name) => ExpressionAttributeNames[name] === timeToLive,
  );
  const [, value] = new RegExp(`${alias} = (:\\w+)`).exec(UpdateExpression) ?? [];
  return value && ExpressionAttributeValues[value];
};

/** Whether the update may create the item. These conditions also hold without one. */
const mayCreate = ({ UpdateExpression = '', ConditionExpression = 'NOT' }: Write): boolean =>
  /\b(SET|ADD)\b/.test(UpdateExpression) && /attribute_not_exists|\bNOT\b|<>/.test(ConditionExpression);

/**
 * So each write of each test shows that its item is removed in its time.
 * @throws if a time to live is not in seconds, if an item that must expire is created without one,
 *   or if an item expires that the catalogue of keys does not name
 */
export const assertTimesToLive = ({ input }: Command): void => {
  for (const write of writesIn(input as Write)) {
    const key = write.Item ?? write.Key;
    if (key === undefined) continue;
    const time = timeSetBy(write);
    const isInSeconds = typeof time === 'number' && time > earliest && time < latest;
    if (time !== undefined && !isInSeconds)
      throw new Error(`${timeToLive} must be a time in seconds: ${time}`);
    if (time !== undefined && !mustExpire(key))
      throw new Error(`keys.ts does not name this item among those that expire: ${key.pk} ${key.sk}`);
    const isCreated = write.Item !== undefined || mayCreate(write);
    if (time === undefined && isCreated && mustExpire(key))
      throw new Error(`an item must expire and has no ${timeToLive}: ${key.pk} ${key.sk}`);
  }
};
