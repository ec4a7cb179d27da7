import { setting } from '../settings/environment.ts';

/** Lets pages of the configured origin read an answer. API Gateway adds the same headers to its own answers. */
export const corsHeaders = (): Record<string, string> => {
  const origin = setting('CORS_ORIGIN');
  if (origin === '') return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'x-request-id,content-disposition,idempotent-replayed',
    vary: 'Origin',
  };
};
