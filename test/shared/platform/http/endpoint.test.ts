import { PassThrough, Readable } from 'node:stream';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { offerResponseStreaming } from '../../../../local/gateway/functions.ts';
import { routes } from '../../../../shared/app/all-routes.ts';
import * as checks from '../../../../shared/app/generated/addDataSource.js';
import * as exportChecks from '../../../../shared/app/generated/batchExport.js';
import { exactly, optionalTimestamp, pageOf } from '../../../../shared/platform/api/schemas.ts';
import { endpoint } from '../../../../shared/platform/http/endpoint.ts';
import { WithHeaders } from '../../../../shared/platform/http/envelope.ts';
import { fileEndpoint } from '../../../../shared/platform/http/file-endpoint.ts';
import { log } from '../../../../shared/platform/observability/log.ts';
import { StoredAnswers } from '../../../../shared/platform/requests/stored-answers.ts';
import { proxyEvent } from '../../../support/aws/proxy-event.ts';
import { newId } from '../../../support/dialing/dialing.ts';
import { engines } from '../../../support/engines/engines.ts';

const { addDataSource, batchExport, listDataSources } = routes;
const listed = exactly({ kind: { type: 'string', enum: ['small', 'large'] }, time: optionalTimestamp });

const aStore = async () => {
  const { database, close } = await engines[0]!.open();
  onTestFinished(close);
  return new StoredAnswers(database, newId());
};
afterEach(() => void vi.restoreAllMocks());

type Handler = (event: object, context: object) => Promise<{ statusCode: number; body: string }>;
const event = proxyEvent(addDataSource, { body: { dataSourceName: 'x' } });

it('an answer that may still become another is not stored under its key', async () => {
  const storedAnswers = await aStore();
  let runs = 0;
  const handle = async () => new WithHeaders(++runs as never, {}, false);
  const answered = endpoint(addDataSource, checks, handle) as never as Handler;
  const send = async () => JSON.parse((await answered(event, { storedAnswers })).body).data;
  expect([await send(), await send()]).toEqual([1, 2]);
});

it('a stored answer is for those only whose token has not ended', async () => {
  const storedAnswers = await aStore();
  const added = endpoint(addDataSource, checks, async () => 'done' as never) as never as Handler;
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

describe('a file', () => {
  const answered = async (handle: () => Promise<never>, signal?: AbortSignal) => {
    offerResponseStreaming();
    const response = new PassThrough().resume();
    const writeHead = vi.fn((_status: number, _headers: object) => response);
    Object.assign(response, { writeHead });
    const exported = fileEndpoint(batchExport, exportChecks, handle) as never as (
      ...args: unknown[]
    ) => Promise<void>;
    await exported(proxyEvent(batchExport, { params: { id: newId() } }), response, { signal });
    return writeHead.mock.calls[0];
  };

  it('has any name, as headers have it', async () => {
    const file = { contentType: 'text/csv', size: 1, body: Readable.from(['x']), fileName: 'a.csv' };
    const [status, headers] = (await answered(async () => ({ ...file, shownName: "é'(*)\ud800" }) as never))!;
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-disposition': `attachment; filename="a.csv"; filename*=UTF-8''%C3%A9%27%28%2A%29%EF%BF%BD`,
        'content-length': '1',
      },
    ]);
  });

  it('that its client gave up is no failure of the service, any other is', async () => {
    const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
    const failing = () => Promise.reject(new Error('broken off'));
    expect((await answered(failing, AbortSignal.abort()))![0]).toBe(400);
    expect(logged).not.toHaveBeenCalled();
    expect((await answered(failing, new AbortController().signal))![0]).toBe(500);
    expect(logged).toHaveBeenCalledTimes(1);
  });
});

describe('an answer that is not stored', () => {
  const asker = async (data: string) => {
    const storedAnswers = await aStore();
    const asked: (boolean | undefined)[] = [];
    const answered = endpoint(addDataSource, checks, async ({ requestKey }) => {
      asked.push(requestKey?.isDone);
      return data as never;
    }) as never as (...given: unknown[]) => Promise<{ headers: Record<string, string>; body: string }>;
    const ask = async () => {
      const { headers, body } = await answered(event, { storedAnswers });
      const { code, data: answer } = JSON.parse(body);
      return { code, answer, replayed: headers['idempotent-replayed'] === 'true' };
    };
    return { ask, asked, stored: storedAnswers };
  };

  it('because of its bytes is made anew, and nothing else is done again', async () => {
    const answer = '\u20ac'.repeat(150_000);
    const { ask, asked } = await asker(answer);
    expect(await ask()).toEqual({ code: 0, answer, replayed: false });
    expect(await ask()).toEqual({ code: 0, answer, replayed: true });
    expect(asked).toEqual([false, true]);
  });

  it('any more, in the second in which it expires, is to be asked for later', async () => {
    const { ask, asked, stored } = await asker('x');
    vi.spyOn(stored, 'claim').mockImplementation(async (_, claim) => ({ ...claim, expires: 1 }));
    expect([(await ask()).code, asked]).toEqual([409, []]);
  });

  it.each(['claim', 'store'] as const)('because its %s failed keeps no repeat waiting', async (name) => {
    const { ask, asked, stored } = await asker('x');
    const landed = stored[name].bind(stored) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(stored, name).mockImplementationOnce(async (...args: unknown[]) => {
      if (name === 'claim') await landed(...args);
      throw new Error('reset');
    });
    expect(await ask()).toMatchObject({ code: name === 'claim' ? 500 : 0, replayed: false });
    expect(await ask()).toMatchObject({ code: 0, replayed: false });
    expect(asked).toHaveLength(name === 'claim' ? 1 : 2);
  });
});

it('a handler that answers another thing than its schema does not compile', () => {
  const added = { id: 'x', dataSourceName: 'x', dataSourceDesc: '', contactCount: 0, createTime: '' };
  const { createTime, ...lacking } = added;
  const nested = { ...listDataSources, response: { data: pageOf(listed) } } as const;
  expect([
    endpoint(addDataSource, checks, async () => added),
    // @ts-expect-error a field is missing
    endpoint(addDataSource, checks, async () => lacking),
    // @ts-expect-error the schema has no such field
    endpoint(addDataSource, checks, async () => ({ ...added, note: '' })),
    // @ts-expect-error the field is of another type
    endpoint(addDataSource, checks, async () => ({ ...added, contactCount: '0' })),
    endpoint(nested, checks, async () => ({ total: 1, rows: [{ kind: 'small' as const, time: null }] })),
    // @ts-expect-error a row has a field that the schema has not
    endpoint(nested, checks, async () => ({
      total: 1,
      rows: [{ kind: 'small' as const, time: null, a: 1 }],
    })),
    // @ts-expect-error the schema names no such value
    endpoint(nested, checks, async () => ({ total: 1, rows: [{ kind: 'huge' as const, time: null }] })),
    // @ts-expect-error also where the answer has headers of its own
    endpoint(addDataSource, checks, async () => new WithHeaders({ ...added, note: '' }, {})),
  ]).toHaveLength(8);
});
