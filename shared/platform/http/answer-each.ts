import type { Route, Validator } from '../api/route.ts';
import { type ErrorWord, saysLater } from '../rules/errors.ts';
import { concurrently, KeyedQueue } from '../table/concurrency.ts';
import { envelopeOf } from './endpoint.ts';
import { type Envelope, success, WithHeaders } from './envelope.ts';
import { assertBody } from './unknown-names.ts';

type Each = { route: Route; check: Validator; requestId: string };

type EachAnswer<Data> = { code: number; errorCode: ErrorWord | null; message: string; data: Data | null };

const atOnce = 8;

const isPassing = ({ word }: Envelope) => word !== undefined && saysLater(word);

/**
 * Carries out several requests that came in one. Requests of the same `turn` are carried out one
 * after another. The answer is not stored under a request key while one of the requests may still
 * succeed.
 * @returns in the order of the requests, what each would have been answered alone
 */
export const answerEach = async <Name extends string, Body extends object, Data>(
  name: Name,
  bodies: readonly unknown[],
  { route, check, requestId }: Each,
  turnOf: (body: Body) => string,
  handle: (body: Body) => Promise<Data>,
) => {
  const turns = new KeyedQueue();
  const answers = await concurrently(bodies, atOnce, async (sent): Promise<Envelope> => {
    try {
      assertBody(route, check, sent);
      const body = sent as Body;
      return success(await turns.run(turnOf(body), () => handle(body)));
    } catch (error) {
      return envelopeOf(error, requestId);
    }
  });
  const data = {
    [name]: answers.map(({ code, message, data: each, word: errorCode = null }) => ({
      code,
      errorCode,
      message,
      data: each as Data | null,
    })),
  } as Record<Name, EachAnswer<Data>[]>;
  return new WithHeaders(data, {}, !answers.some(isPassing));
};
