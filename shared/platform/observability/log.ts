import { Logger } from '@aws-lambda-powertools/logger';
import { ServiceError } from '../rules/errors.ts';

/** One JSON object a line; POWERTOOLS_LOG_LEVEL sets how much. */
export const log = new Logger({ serviceName: 'outbound' });

const visibleDigits = 2;

/** A long run of digits may be a phone number. Only its last two digits are logged. */
export const maskPhones = (text: string): string =>
  text.replace(
    /\d{5,}/g,
    (digits) => '*'.repeat(digits.length - visibleDigits) + digits.slice(-visibleDigits),
  );

const isFrame = (line: string) => /^\s+at /.test(line);

/** File, line and column are not masked. In a bundle, which is one line, columns are long. */
const maskFrame = (line: string): string => {
  const [position = ''] = /\S+:\d+:\d+\)?$/.exec(line) ?? [];
  return maskPhones(line.slice(0, line.length - position.length)) + position;
};

/**
 * A message may have several lines, even lines that look like stack frames. The frames of V8 come
 * after the message.
 */
const maskStack = ({ stack = '', message }: Error): string => {
  const at = stack.indexOf(message);
  const headEnd = at < 0 ? 0 : at + message.length;
  const [first = '', ...lines] = stack.slice(headEnd).split('\n');
  const firstFrame = lines.findLastIndex((line) => !isFrame(line)) + 1;
  return [
    maskPhones(stack.slice(0, headEnd) + first),
    ...lines.slice(0, firstFrame).map(maskPhones),
    ...lines.slice(firstFrame).map(maskFrame),
  ].join('\n');
};

/** An error without personal data. */
export const describeError = (error: unknown) =>
  error instanceof Error
    ? { name: error.name, message: maskPhones(error.message), stack: maskStack(error) }
    : { name: typeof error, message: 'not an Error' };

const isStorageFull = (error: unknown) => error instanceof ServiceError && error.word === 'STORAGE_FULL';

/** Logs a failure of work that no client waits for. A full storage is logged elsewhere, once. */
export const logFailure = (message: string, error: unknown, details: Record<string, unknown> = {}): void => {
  if (!isStorageFull(error)) log.error(message, { ...details, error: describeError(error) });
};
