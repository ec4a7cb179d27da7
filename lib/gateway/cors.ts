import { exposedHeaders, transportHeader, transportSecurity } from '../../shared/api/answer-headers.ts';

/** Lets a page of the origin read an answer, in API Gateway's notation for constants. Nothing without an origin. */
export const corsHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': `'${origin}'`,
        'Access-Control-Expose-Headers': `'${exposedHeaders}'`,
        Vary: "'Origin'",
      };

const preflightSeconds = 3600;

export const preflightHeaders = (origin: string, methods: readonly string[]): Record<string, string> => ({
  [transportHeader]: `'${transportSecurity}'`,
  ...corsHeaders(origin),
  'Access-Control-Allow-Methods': `'${methods.join(',')}'`,
  'Access-Control-Allow-Headers': "'authorization,content-type,idempotency-key'",
  'Access-Control-Max-Age': `'${preflightSeconds}'`,
});
