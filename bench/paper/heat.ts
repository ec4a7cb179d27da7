import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { keyOf, writesOf } from '../../test/support/engines/capacity-units.ts';

/** Units that one call writes to the hottest partition key of a kind. */
export type Heat = { key: string; wcu: number; change: string };

/** The key with words instead of ids and numbers: `TASK#id#chunk`. */
export const kindOf = (pk: string) =>
  pk
    .replace(/#[0-9a-hjkmnp-tv-z]{16}\b/g, '#id')
    .replace(/#\d+$/, '#chunk')
    .replace(/^(DS#id#P)#.*/, '$1#phone');

const changes: [RegExp, string][] = [
  [/^TASK#id$/, 'give each counter shard its own partition key'],
  [/^TASK#id#chunk$/, 'spread the contacts of a chunk over several keys, such as seq modulo 8'],
  [/^DS#id#C#chunk$/, 'the same for contacts; or write their status once a second, in batches'],
  [/^TASK#id#LEASES/, 'shard the lease records'],
];

const changeFor = (key: string) =>
  changes.find(([kind]) => kind.test(key))?.[1] ?? 'spread it over several keys';

/** All items written here are below 1 KB: one unit, or two in a transaction. */
export const heatOf = async (client: DynamoDBDocumentClient, job: () => Promise<number>): Promise<Heat[]> => {
  const byKey = new Map<string, number>();
  const { requestHandler } = client.config;
  const { handle } = requestHandler;
  requestHandler.handle = async (request, options) => {
    const operation = request.headers['x-amz-target']?.replace(/^DynamoDB_\d+\./, '') ?? '';
    const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
    const units = operation === 'TransactWriteItems' ? 2 : 1;
    for (const write of writesOf(operation, JSON.parse(body) as object)) {
      const pk = String(keyOf(write).pk?.S);
      byKey.set(pk, (byKey.get(pk) ?? 0) + units);
    }
    return handle.call(requestHandler, request, options);
  };
  const calls = await job();
  requestHandler.handle = handle;
  const hottest = new Map<string, number>();
  for (const [pk, units] of byKey) {
    hottest.set(kindOf(pk), Math.max(hottest.get(kindOf(pk)) ?? 0, units / calls));
  }
  return [...hottest]
    .map(([key, wcu]) => ({ key, wcu, change: changeFor(key) }))
    .sort((a, b) => b.wcu - a.wcu);
};
