import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
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

const targetPrefix = /^DynamoDB_\d+\./;
const parsed = (body: Uint8Array | string): object =>
  JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));

/** Meters every call of the client from now on; `measure` answers what the calls under `job` cost. */
export const meter = (client: DynamoDBDocumentClient) => {
  const unmetered = new AsyncLocalStorage<true>();
  let calls: Call[] = [];
  let clock = 0;

  const currentItems = (writes: readonly Write[]) =>
    unmetered.run(true, () =>
      Promise.all(
        writes.map(async (write) => {
          const key = { TableName: write.TableName, Key: keyOf(write), ConsistentRead: true };
          return (await client.send(new GetItemCommand(key))).Item;
        }),
      ),
    );

  /** Here, next to the wire, items are attribute values whatever kind of client sent them. */
  const { requestHandler, streamCollector } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options) => {
    if (unmetered.getStore()) return handle(request, options);
    const start = clock++;
    const operation = request.headers['x-amz-target']!.replace(targetPrefix, '');
    const input = parsed(request.body);
    const writes = writesOf(operation, input);
    const before = await currentItems(writes);
    const answer = await handle(request, options);
    const streamed = !(answer.response.body instanceof Uint8Array);
    const body = streamed ? await streamCollector(answer.response.body) : answer.response.body;
    const end = clock++;
    const after = await currentItems(writes);
    const written = writeCost(
      before.map((item, i) => [item, after[i]]),
      operation === 'TransactWriteItems' ? 2 : 1,
    );
    const cost = writes.length > 0 ? written : readOrBatchCost(operation, input, parsed(body));
    calls.push({ ...cost, start, end });
    if (streamed) answer.response.body = Readable.from([body]);
    return answer;
  };

  const measure = async (job: () => Promise<unknown>): Promise<Usage> => {
    calls = [];
    await job();
    return usageOf(calls);
  };
  return { measure };
};
