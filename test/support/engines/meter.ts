import { setImmediate } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Cost, keyOf, readOrBatchCost, type Write, writeCost, writesOf } from './capacity-units.ts';

/**
 * What calls would cost on AWS, counted from the items themselves: local engines under-report
 * transactions and indexes. `bytes` are those of the items read and written; `depth` is the longest
 * chain of calls that each began after the one before had ended.
 */
export type Usage = Cost & { calls: number; depth: number };

type Call = Cost & { start: number; end: number };

const longestChain = (calls: readonly Call[]): number => {
  let depth = 0;
  let end = -1;
  for (const call of [...calls].sort((a, b) => a.end - b.end)) {
    if (call.start < end) continue;
    depth++;
    end = call.end;
  }
  return depth;
};

const usageOf = (calls: readonly Call[]): Usage => ({
  rcu: calls.reduce((sum, { rcu }) => sum + rcu, 0),
  wcu: calls.reduce((sum, { wcu }) => sum + wcu, 0),
  bytes: calls.reduce((sum, { bytes }) => sum + bytes, 0),
  calls: calls.length,
  depth: longestChain(calls),
});

const prefix = 'DynamoDB_20120810.';
/**
 * The SDK's bytes pose as a string too and warn when taken for one: hence the plain view of them.
 */
const parsed = (body: Uint8Array | string) =>
  JSON.parse(
    typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(),
  );

/**
 * Meters calls of an embedded engine's client; `measure` answers what the calls under `job` cost.
 * Calls that name one of the `ignored` partitions are not counted.
 */
export const meter = (client: DynamoDBDocumentClient, ignored: readonly string[] = []) => {
  let calls: Call[] = [];
  let clock = 0;

  /** Here, next to the wire, items are attribute values whatever kind of client sent them. */
  const { requestHandler } = client.config;
  const { handle } = requestHandler;

  const currentItem = async (write: Write) => {
    const key = { TableName: write.TableName, Key: keyOf(write), ConsistentRead: true };
    const request = { headers: { 'x-amz-target': `${prefix}GetItem` }, body: JSON.stringify(key) };
    return parsed((await handle(request as never)).response.body).Item;
  };

  const metered: typeof handle = async (request, options) => {
    const start = clock++;
    // Calls that do not wait for each other overlap, however many microtasks lie between their
    // starts.
    await setImmediate();
    const operation = request.headers['x-amz-target']!.replace(prefix, '');
    const input = parsed(request.body);
    if (ignored.includes(input.ExpressionAttributeValues?.[':pk']?.S)) return handle(request, options);
    const writes = writesOf(operation, input);
    const before = await Promise.all(writes.map(currentItem));
    const answer = await handle(request, options);
    const end = clock++;
    const after = await Promise.all(writes.map(currentItem));
    const written = writeCost(
      before.map((item, i) => [item, after[i]]),
      operation === 'TransactWriteItems' ? 2 : 1,
    );
    const read = () => readOrBatchCost(operation, input, parsed(answer.response.body));
    calls.push({ ...(writes.length > 0 ? written : read()), start, end });
    return answer;
  };

  const measure = async (job: () => Promise<unknown>): Promise<Usage> => {
    calls = [];
    requestHandler.handle = metered;
    try {
      await job();
    } finally {
      requestHandler.handle = handle;
    }
    return usageOf(calls);
  };
  return { measure };
};
