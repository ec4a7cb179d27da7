import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDeliveryFeed, startEventFeed, type TableStream } from '../../local/feeds.ts';
import { log } from '../../shared/platform/observability/log.ts';
import { secondMs } from '../../shared/platform/time/time.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(log, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a change stays in the stream until every reader has had it, and is read again a second after an error', async () => {
  const stored = [1, 2];
  const stream = {
    readStream: async () => stored.map((each) => ({ key: String(each), time: secondMs })),
    removeStreamed: async ({ length }: unknown[]) => void stored.splice(0, length),
  } as unknown as TableStream;
  const told: string[] = [];
  let failures = 1;
  const reader =
    (name: string, fails: boolean) =>
    async ({ Records }: DynamoDBStreamEvent) => {
      if (fails && failures-- > 0) throw new Error('throttled');
      told.push(name + Records.map(({ dynamodb }) => dynamodb?.SequenceNumber).join(''));
    };
  const { changed, stop } = startEventFeed(stream, [reader('a', false), reader('b', true)]);
  await vi.advanceTimersByTimeAsync(secondMs - 1);
  expect([told, stored]).toEqual([['a12'], [1, 2]]);
  await vi.advanceTimersByTimeAsync(1);
  expect([told, stored]).toEqual([['a12', 'a12', 'b12'], []]);
  stored.push(3);
  changed();
  await vi.advanceTimersByTimeAsync(0);
  expect(told.slice(3)).toEqual(['a3', 'b3']);
  await stop();
  stored.push(4);
  changed();
  await vi.advanceTimersByTimeAsync(secondMs);
  expect(stored).toEqual([4]);
});

it.each([true, false])(
  'a webhook that is woken during a run is run once more, also after an error; its first run takes over: %s',
  async (isSole) => {
    const { wakes, use, stop } = startDeliveryFeed(isSole);
    const runs: [webhookId: string, takesOver: boolean][] = [];
    use(async ({ Records }, left, takesOver) => {
      const { webhookId } = JSON.parse(Records[0]!.body) as { webhookId: string };
      runs.push([webhookId, takesOver]);
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (left.getRemainingTimeInMillis() > 0 && webhookId === 'one') throw new Error('a bug');
    });
    await wakes.wake(['one', 'two'], 1);
    await wakes.wake(['one', 'two']);
    await wakes.wake(['one']);
    await vi.advanceTimersByTimeAsync(20);
    expect(runs).toEqual([
      ['one', isSole],
      ['two', isSole],
      ['one', false],
    ]);
    await wakes.wake(['two']);
    await wakes.wake(['two']);
    const stopped = stop();
    await vi.advanceTimersByTimeAsync(10);
    await stopped;
    expect(runs.slice(3)).toEqual([['two', false]]);
  },
);
