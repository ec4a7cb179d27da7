import { Logger } from '@aws-lambda-powertools/logger';

/** One JSON object a line; POWERTOOLS_LOG_LEVEL sets how much. */
export const log = new Logger({ serviceName: 'outbound' });

const visibleDigits = 2;

/** Long runs of digits may be phone numbers: only their last digits stay. */
export const maskPhones = (text: string): string =>
  text.replace(
    /\d{5,}/g,
    (digits) => '*'.repeat(digits.length - visibleDigits) + digits.slice(-visibleDigits),
  );

/** An error without anything personal in it. */
export const describeError = (error: unknown) =>
  error instanceof Error
    ? { name: error.name, message: maskPhones(error.message), stack: maskPhones(error.stack ?? '') }
    : { name: typeof error, message: 'not an Error' };
