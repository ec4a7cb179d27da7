import { describe, expect, it } from 'vitest';
import { answerEach } from '../../../shared/platform/http/answer-each.ts';
import { ServiceError } from '../../../shared/platform/rules/errors.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { send } from '../../support/service/post-scenarios.ts';

const api = useApi();

type Answer = {
  code: number;
  errorCode: string | null;
  message: string;
  data: Record<string, unknown> | null;
};

const aTask = async (contacts: number) => (await api.aTaskOf(contacts, { maxDialCount: 1 })).id;
const leased = async (taskId: string, limit = 100) => {
  const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId, limit }));
  return (calls as { callId: string }[]).map(({ callId }) => callId);
};
const report = async (results: unknown[], key?: string) =>
  succeeded(await send(api, { path: '/api/dialer/results', body: { results } }, key)).results as Answer[];
const statOf = async (id: string) => succeeded(await api.get(`/api/task/${id}/stat`));

describe('results in one request', () => {
  it('are each answered as they would have been alone, in their order', async () => {
    const id = await aTask(3);
    const [a, b, c] = await leased(id);
    const answers = await report([
      { callId: a, outcome: 'success', duration: 5 },
      { callId: 'none', outcome: 'failed' },
      { callId: b, outcome: 'lost' },
      { callId: b, outcome: 'noAnswer', reason: null },
      { callId: c, outcome: 'failed', summry: 'x' },
      { callId: b, outcome: 'failed' },
      { callId: a, outcome: 'success', duration: 5 },
    ]);
    expect(answers.map(({ code, errorCode }) => [code, errorCode])).toEqual([
      ...[
        [0, null],
        [404, 'CALL_NOT_FOUND'],
        [400, 'INVALID'],
        [0, null],
        [400, 'INVALID'],
      ],
      ...[
        [409, 'ALREADY_REPORTED'],
        [0, null],
      ],
    ]);
    expect(answers[2]?.data).toMatchObject({ errors: [{ field: 'outcome' }] });
    expect(answers[4]?.data).toMatchObject({ errors: [{ field: 'summry' }] });
    expect(answers[0]).toEqual({
      code: 0,
      errorCode: null,
      message: 'success',
      data: expect.objectContaining({ callId: a, final: true }),
    });
    expect(answers[6]).toEqual(answers[0]);
    expect(succeeded(await api.get(`/api/call/detail/${a}`))).toMatchObject({
      reportedBy: 'local-developer',
    });
    expect(await statOf(id)).toMatchObject({ callCount: 2, successCount: 1, noAnswerCount: 1, failCount: 0 });
    const [last] = await report([{ callId: c, outcome: 'failed' }]);
    expect(last?.data).toMatchObject({ taskStatus: 4 });
  });

  it('are a hundred at most, and a wrong request counts none', async () => {
    const id = await aTask(2);
    const [callId] = await leased(id);
    const result = { callId, outcome: 'success' };
    for (const body of [{}, { results: [] }, { results: Array(101).fill(result) }, { results: result }])
      expectError(await api.post('/api/dialer/results', body), 400, /results/);
    expectError(await api.post('/api/dialer/results', { results: [result], extra: 1 }), 400, /extra/);
    expect(await statOf(id)).toMatchObject({ callCount: 0 });
  });

  it.each([[null], [1], ['x'], [[]], [true]])('refuse an entry %j alone, as they do {}', async (entry) => {
    const id = await aTask(2);
    const [a, b] = await leased(id, 2);
    const [first, wrong, empty, last] = await report([
      { callId: a, outcome: 'success' },
      entry,
      {},
      { callId: b, outcome: 'failed' },
    ]);
    expect([first?.code, last?.code]).toEqual([0, 0]);
    const refused = { code: 400, errorCode: 'INVALID' };
    expect(empty).toMatchObject(refused);
    expect(wrong).toMatchObject({ ...refused, message: 'body: must be an object' });
    expect(await statOf(id)).toMatchObject({ callCount: 2, successCount: 1, failCount: 1 });
  });

  it('count once from many dialers that send them twice, also under a key', async () => {
    const id = await aTask(60);
    const calls = await leased(id);
    const results = calls.map((callId, at) => ({ callId, outcome: at % 2 === 0 ? 'success' : 'failed' }));
    const parts = [0, 1, 2].map((at) => results.slice(at * 20, at * 20 + 20));
    const answers = await Promise.all([...parts, ...parts].map((part) => report(part)));
    expect(answers.flat().map(({ code }) => code)).toEqual(Array(120).fill(0));
    const first = await report(parts[0]!, 'results-once');
    expect(await report(parts[0]!, 'results-once')).toEqual(first);
    expect(await statOf(id)).toMatchObject({ callCount: 60, successCount: 30, failCount: 30 });
  });

  it.each([
    [new ServiceError('ALREADY_REPORTED', 'as failed'), true],
    [new ServiceError('TOO_MANY_CHANGES', 'later'), false],
    [new ServiceError('CALL_NOT_REPORTED', 'later'), false],
    [new Error('of the service'), false],
  ])('under a key are taken again while one of them may still succeed: %s', async (error, isStored) => {
    const each = { route: {}, check: () => true, requestId: 'one' };
    const take = async ({ isRefused }: { isRefused?: boolean }) => {
      if (isRefused) throw error;
    };
    const sent = [{}, { isRefused: true }];
    const answer = await answerEach('results', sent, each as never, () => '', take);
    expect(answer.isStored).toBe(isStored);
    const errorCode = error instanceof ServiceError ? error.word : 'INTERNAL';
    expect(answer.data).toMatchObject({ results: [{ errorCode: null }, { errorCode }] });
  });
});
