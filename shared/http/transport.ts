import { transportHeader, transportSecurity } from '../api/answer-headers.ts';

/** Only on Lambda. Local mode speaks HTTP, and a browser would apply the rule to every port of the machine. */
export const transportHeaders = (): Record<string, string> =>
  process.env.AWS_LAMBDA_FUNCTION_NAME === undefined ? {} : { [transportHeader]: transportSecurity };
