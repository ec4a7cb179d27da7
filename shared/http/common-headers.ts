import { exposedHeaders, transportHeader, transportSecurity } from '../api/answer-headers.ts';
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

/** Only on Lambda. Local mode speaks HTTP, and a browser would apply the rule to every port of the machine. */
export const transportHeaders = (): Record<string, string> =>
  process.env.AWS_LAMBDA_FUNCTION_NAME === undefined ? {} : { [transportHeader]: transportSecurity };
