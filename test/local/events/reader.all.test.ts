import { setTimeout as pause } from 'node:timers/promises';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appendEvents } from '../../../functions/events/append-events.ts';
import type { ItemChange } from '../../../local/dynamodb/storage.ts';
import { serve } from '../../../local/service.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { setUpTable } from '../../../shared/platform/table/data-format.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { createTableInput } from '../../../shared/platform/table/table.ts';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { openEngine, shortClient } from '../../support/engines/engine-door.ts';
import { Api, accessToken, succeeded } from '../../support/service/api.ts';
import { type ListedEvent, listingRuntime, readEvents } from '../../support/service/event-service.ts';

const dialers = 16;

/** Asks until the service answers: it may just be restarted. */
const untilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!/ECONN|EPIPE|socket hang up|aborted|Unexpected end/.test(String(error))) throw error;
      await pause(10);
    }
  }
};

/** Dialers that call until the task has completed. Every third call is not answered. */
const dialAll = async (api: Api, taskId: string) => {
  const dialing = new DialingApi(api);
  const isRunning = async () => succeeded(await api.get(`/api/task/${taskId}/stat`)).status === 1;
  const dial = async () => {
    for (;;) {
      const calls = await untilAnswered(() => dialing.lease({ taskId, limit: 3, leaseSeconds: 10 }));
      for (const { callId, contactId } of calls) {
        const outcome = Number.parseInt(contactId.at(-1)!, 36) % 3 === 0 ? 'noAnswer' : 'success';
        await untilAnswered(() => dialing.result(callId, outcome, 1));
      }
      if (calls.length === 0 && !(await untilAnswered(isRunning))) return;
      if (calls.length === 0) await pause(20);
    }
  };
  await Promise.all(Array.from({ length: dialers }, dial));
};

/**
 * A reader that follows its cursor while the others work. `finish` ends it when it has seen the end
 * of the task.
 */
const startReader = (api: Api, taskId: string) => {
  const seen: ListedEvent[] = [];
  let isDone = () => false;
  const isEnd = ({ type, data }: ListedEvent) => type === 'task.state_changed' && data.status === 4;
  const reading = (async () => {
    let after: string | undefined;
    let isLast = false;
    for (;;) {
      const query = { taskId, limit: 7, ...(after && { after }) };
      const { events, next, more } = await untilAnswered(() => readEvents(api, query));
      seen.push(...events);
      after = next;
      if (more) continue;
      if (isLast) return seen;
      isLast = isDone() && seen.some(isEnd);
      await pause(5);
    }
  })();
  return {
    finish: (allListed: () => boolean) => {
      isDone = allListed;
      return reading;
    },
  };
};

const recordedCalls = async (api: Api, taskId: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let pageToken: string | null = '0'; pageToken !== null; ) {
    const page = succeeded(await api.get(`/api/task/${taskId}/calls`, { pageSize: 500, pageToken }));
    ids.push(...(page.rows as unknown as { callId: string }[]).map(({ callId }) => callId));
    pageToken = page.nextPageToken as string | null;
  }
  return ids;
};

/** Every call has its event, and the calls of a contact are in their order. */
const expectEveryCall = async (api: Api, taskId: string, seen: readonly ListedEvent[]) => {
  const ended = seen.filter(({ type }) => type === 'call.ended');
  const first = [...new Map(ended.toReversed().map((event) => [event.id, event])).values()];
  const recorded = await recordedCalls(api, taskId);
  expect(recorded).toHaveLength(succeeded(await api.get(`/api/task/${taskId}/stat`)).callCount as number);
  expect(first.map(({ data }) => data.callId).toSorted()).toEqual(recorded.toSorted());
  const attempts = new Map<unknown, number>();
  const ids = new Set<string>();
  for (const { id, data } of ended) {
    if (ids.has(id)) continue;
    ids.add(id);
    expect(data.attempt).toBe((attempts.get(data.contactId) ?? 0) + 1);
    attempts.set(data.contactId, data.attempt as number);
  }
  return { calls: recorded.length, repeats: ended.length - ids.size };
};

/** Numbers that look random and are the same in each run. */
const fixedRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

/**
 * As Lambda reads a stream: several shards at once, late, and batches that failed or whose answer
 * got lost again.
 */
const readStream = (database: () => Database) => {
  const shards: ItemChange[][] = Array.from({ length: 4 }, () => []);
  const random = fixedRandom(41);
  let isClosed = false;
  const shardOf = ({ before, after }: ItemChange) => {
    const pk = (after ?? before)!.pk!.S as string;
    return shards[[...pk].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % shards.length]!;
  };
  const read = async (shard: ItemChange[]) => {
    const append = appendEvents(listingRuntime(database()));
    while (!isClosed || shard.length > 0) {
      await pause(random() * 5);
      if (shard.length === 0 || random() < 0.2) continue;
      const batch = shard.slice(0, 1 + random() * 30);
      const recordOf = ({ before, after }: ItemChange) => ({
        dynamodb: { OldImage: before as never, NewImage: after as never, ApproximateCreationDateTime: 1 },
      });
      await append({ Records: batch.map(recordOf) });
      if (random() < 0.8) shard.splice(0, batch.length);
    }
  };
  let readers: Promise<unknown> = Promise.resolve();
  return {
    onWritten: (changes: readonly ItemChange[]) => {
      for (const change of changes) shardOf(change).push(change);
    },
    start: () => {
      readers = Promise.all(shards.map(read));
    },
    isEmpty: () => shards.every(({ length }) => length === 0),
    stop: () => {
      isClosed = true;
      return readers;
    },
  };
};

describe('a reader that follows its cursor while 16 dialers work', () => {
  it('sees every call, although events are listed late and twice and the service is restarted', async () => {
    const stream = readStream(() => database);
    const engine = await openEngine({ path: ':memory:', onWritten: stream.onWritten });
    onTestFinished(() => engine.close());
    const client = shortClient(engine);
    await client.send(new CreateTableCommand(createTableInput('outbound')));
    const database = new Database(client, 'outbound');
    await setUpTable(database);
    const settings = {
      port: 0,
      host: '127.0.0.1',
      dataDir: ':memory:',
      accessToken,
      ...serviceSettings({}),
    };
    const api = new Api();
    let service = await serve(settings, database);
    onTestFinished(() => service.close());
    api.attach(service.url, async () => {});
    stream.start();
    const { id } = await new DialingApi(api).aRunningTask(150, { callInterval: 0, maxDialCount: 2 });
    const reader = startReader(api, id as string);
    const dialing = dialAll(api, id as string);
    for (let restarts = 0; restarts < 2; restarts++) {
      await pause(50);
      await service.close();
      service = await serve(settings, database);
      api.attach(service.url, async () => {});
    }
    await dialing;
    const seen = await reader.finish(stream.isEmpty);
    await stream.stop();
    const { calls, repeats } = await expectEveryCall(api, id as string, seen);
    expect(calls).toBe(200);
    expect(repeats).toBeGreaterThan(0);
  });
});
