import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as checks from '../../../shared/api/generated/addDataSource.js';
import { addDataSource } from '../../../shared/api/routes/index.ts';
import { answerOnce } from '../../../shared/http/answer-once.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { type Envelope, success } from '../../../shared/http/envelope.ts';
import { StoredAnswers } from '../../../shared/store/requests/index.ts';
import { proxyEvent } from '../../support/aws/proxy-event.ts';
import { newId } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';

const aStore = async () => {
  const { database, close } = await engines[0]!.open();
  onTestFinished(close);
  return new StoredAnswers(database, newId());
};
afterEach(() => void vi.restoreAllMocks());

it('a stored answer is for those only whose token has not ended', async () => {
  const storedAnswers = await aStore();
  const added = endpoint(addDataSource, checks, async () => 'done') as never as (
    event: object,
    context: object,
  ) => Promise<{ statusCode: number }>;
  const event = proxyEvent(addDataSource, { body: { dataSourceName: 'x' } });
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now - (now % 1000));
  const sent = async (expires: number) => {
    const authorizer = { ...event.requestContext.authorizer, expires: String(expires) };
    const requestContext = { ...event.requestContext, authorizer };
    return (await added({ ...event, requestContext }, { storedAnswers })).statusCode;
  };
  const second = Math.floor(now / 1000);
  expect([await sent(second + 1), await sent(second + 1), await sent(second)]).toEqual([200, 200, 401]);
});

describe('an answer that is not stored', () => {
  const asker = async (envelope: Envelope) => {
    const stored = await aStore();
    const asked: boolean[] = [];
    const request = { id: newId(), body: 'hash', owner: stored.process };
    const ask = (isStored: boolean) =>
      answerOnce(
        stored,
        request,
        { storedSeconds: 60, remainingMs: 1000 },
        async (isDone) => {
          asked.push(isDone);
          return envelope;
        },
        () => isStored,
      );
    return { ask, asked };
  };

  it('because of its bytes is made anew, and nothing else is done again', async () => {
    const envelope = success('\u20ac'.repeat(150_000));
    const { ask, asked } = await asker(envelope);
    expect(await ask(true)).toEqual({ envelope, replayed: false });
    expect(await ask(true)).toEqual({ envelope, replayed: true });
    expect(asked).toEqual([false, true]);
  });

  it('any more since this release is made anew', async () => {
    const { ask, asked } = await asker(success('x'));
    await ask(true);
    expect(await ask(false)).toMatchObject({ replayed: true });
    expect(asked).toEqual([false, true]);
  });
});
