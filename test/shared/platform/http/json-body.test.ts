import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBody } from '../../../../shared/platform/http/request.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const limit = 1024;
const read = (body: string | null) => jsonBody({ body, isBase64Encoded: false }, limit);
const readBytes = (bytes: Buffer) =>
  jsonBody({ body: bytes.toString('base64'), isBase64Encoded: true }, limit);

describe('a JSON body', () => {
  it('is empty when absent', async () => {
    expect(await Promise.all([read(null), read(''), read(' \n')])).toEqual([{}, {}, {}]);
  });

  it('may arrive base64-encoded', async () => {
    expect(await readBytes(Buffer.from('{"name":"中"}'))).toEqual({ name: '中' });
  });

  it('must be UTF-8', async () => {
    await expect(readBytes(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).rejects.toThrow(
      'body: is not UTF-8',
    );
  });

  it('is measured in bytes, before it is parsed', async () => {
    const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
    expect(await read(padded(limit))).toEqual({});
    await expect(read(padded(limit + 1))).rejects.toMatchObject({ code: 'tooLarge' });
    await expect(read(`"${'中'.repeat(400)}"`)).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it('comes out as it was written, whatever its field names', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
        async (value) => {
          const text = JSON.stringify(value);
          fc.pre(Buffer.byteLength(text) <= limit);
          expect(JSON.stringify(await read(text))).toBe(text);
        },
      ),
      randomRuns(100),
    );
  });

  it('with __proto__ has it as a field of its own', async () => {
    const body = (await read('{"__proto__":{"x":1},"y":"\\ud83d\\udcde"}')) as object;
    expect(Object.keys(body)).toEqual(['__proto__', 'y']);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  it('holds no half of a surrogate pair, as a value or as a name, at any depth', async () => {
    for (const [text, field] of [
      ['{"a":"\\ud800"}', 'a'],
      ['{"\\uDC00":1}', '\ufffd'],
      ['{"a":[{"b":"x\\udfff"}]}', 'b'],
      ['{"a":"\\udc00\\ud800"}', 'a'],
      ['"\\ud800"', 'body'],
    ]) {
      await expect(read(text!)).rejects.toThrow(new RegExp(`^${field}: .*half of a surrogate pair`));
    }
    expect(await read('{"a":"\\\\ud800"}')).toEqual({ a: '\\ud800' });
  });
});
