import type { Validator } from '../api/validators.ts';
import { saysLater } from '../domain/errors.ts';
import { concurrently, KeyedQueue } from '../store/table/index.ts';
import { envelopeOf } from './endpoint.ts';
import { type Envelope, success, WithHeaders } from './envelope.ts';
import { assertValid, dropNulls } from './validation.ts';

type Each = { schema: object; check: Validator; requestId: string };

const atOnce = 8;

const isPassing = ({ word }: Envelope) => word !== undefined && saysLater(word);

/**
 * Carries out several requests that came in one, and answers for each what it would have answered alone, in their order.
 * Requests of the same `turn` are carried out one after another. The answer is not stored under a request key while one of
 * them may still succeed.
 */
export const answerEach = async <Body extends object>(
  name: string,
  bodies: readonly object[],
  { schema, check, requestId }: Each,
  turnOf: (body: Body) => string,
  handle: (body: Body) => Promise<unknown>,
): Promise<WithHeaders> => {
  const turns = new KeyedQueue();
  const answers = await concurrently(bodies, atOnce, async (sent): Promise<Envelope> => {
    try {
      dropNulls(schema, sent);
      assertValid(check, sent, 'body');
      const body = sent as Body;
      return success(await turns.run(turnOf(body), () => handle(body)));
    } catch (error) {
      return envelopeOf(error, requestId);
    }
  });
  const data = { [name]: answers.map(({ code, message, data: each }) => ({ code, message, data: each })) };
  return new WithHeaders(data, {}, !answers.some(isPassing));
};
