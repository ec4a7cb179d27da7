import { exposedHeaders } from '../api/answer-headers.ts';
import { setting } from '../settings/environment.ts';

/** Lets pages of the configured origin read an answer. API Gateway adds the same headers to its own answers. */
export const corsHeaders = (): Record<string, string> => {
  const origin = setting('CORS_ORIGIN');
  if (origin === '') return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
    vary: 'Origin',
  };
};
