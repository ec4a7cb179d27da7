import { describe, expect, it, vi } from 'vitest';
import { statusOf } from '../../../../shared/platform/api/answers.ts';
import { answerTo } from '../../../../shared/platform/http/endpoint.ts';
import { describeError, log, maskPhones } from '../../../../shared/platform/observability/log.ts';
import {
  type ErrorKind,
  type ErrorWord,
  errorWords,
  ServiceError,
  saysLater,
} from '../../../../shared/platform/rules/errors.ts';

const read = ({ statusCode, body }: { statusCode: number; body: string }) => ({
  statusCode,
  ...JSON.parse(body),
});

describe('the envelope', () => {
  it.each(Object.entries(errorWords) as [ErrorWord, ErrorKind][])(
    'of %s carries its status twice, and its word',
    (word, code) => {
      const answer = answerTo(new ServiceError(word, 'why'), 'r1');
      expect(read(answer)).toEqual({
        ...{ statusCode: statusOf[code], code: statusOf[code], message: 'why' },
        data:
          code === 'invalid' ? { errors: [{ field: 'request', code: 'NOT_VALID', message: 'why' }] } : null,
      });
      expect(answer.headers).toMatchObject({ 'x-error-code': word });
      const retryAfter = code === 'tooBusy' ? { 'retry-after': '1' } : {};
      expect(answer.headers).toMatchObject(retryAfter);
      expect('retry-after' in answer.headers).toBe(code === 'tooBusy');
    },
  );

  it('says "later" where the same request may succeed', () => {
    expect((Object.keys(errorWords) as ErrorWord[]).filter(saysLater)).toEqual([
      ...[
        'UNAUTHENTICATED',
        'FORBIDDEN',
        'ORIGIN_REFUSED',
        'FIREWALL_REFUSED',
        'CALLS_IN_PROGRESS',
        'CALL_NOT_REPORTED',
      ],
      ...[
        'IMPORT_RUNNING',
        'STILL_RUNNING',
        'TOO_MANY_REQUESTS',
        'TOO_MANY_CHANGES',
        'INTERNAL',
        'STORAGE_FULL',
        'TIMEOUT',
      ],
    ]);
  });

  it('of a failure of ours says only that, and which request it was', () => {
    const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
    for (const error of [
      new Error('secret +8613800138000'),
      'thrown text',
      undefined,
      { code: 'notFound' },
    ]) {
      expect(read(answerTo(error, 'r1'))).toEqual({
        ...{ statusCode: 500, code: 500, message: 'internal error (request r1)', data: null },
      });
    }
    expect(logged).toHaveBeenCalledTimes(4);
    const error = expect.objectContaining({ name: 'Error', message: 'secret +***********00' });
    expect(logged).toHaveBeenNthCalledWith(1, 'request failed', { requestId: 'r1', error });
    expect(JSON.stringify(logged.mock.calls)).not.toContain('13800138000');
    logged.mockRestore();
  });
});

describe('the log', () => {
  it('shows only the last digits of what may be a phone number', () => {
    expect(maskPhones('call +8613800138000 or 12345, not 1234')).toBe(
      'call +***********00 or ***45, not 1234',
    );
  });

  it('describes an error without phone numbers', () => {
    const described = describeError(new TypeError('bad 13800138000'));
    expect(described).toMatchObject({ name: 'TypeError', message: 'bad *********00' });
    expect(JSON.stringify(described)).not.toContain('13800138000');
    expect(describeError('13800138000')).toEqual({ name: 'string', message: 'not an Error' });
  });
});
