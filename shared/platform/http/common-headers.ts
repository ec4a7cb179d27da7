import { exposedHeaders, transportHeader, transportSecurity } from '../api/index.ts';
import { setting } from '../settings/index.ts';

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

const preflightSeconds = 3600;

/** Permits pages of the configured origin to send requests to a path. Undefined without an origin. */
export const preflightHeaders = (methods: readonly string[]): Record<string, string> | undefined => {
  if (setting('CORS_ORIGIN') === '') return undefined;
  return {
    ...transportHeaders(),
    ...corsHeaders(),
    'access-control-allow-methods': methods.join(','),
    'access-control-allow-headers': 'authorization,content-type,idempotency-key',
    'access-control-max-age': String(preflightSeconds),
  };
};
