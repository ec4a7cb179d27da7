import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBody } from '../../../../shared/platform/http/request.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const limit = 1024;
const read = (body: string | null) => jsonBody({ body, isBase64Encoded: false }, limit);
const readBytes = (bytes: Buffer) =>
  jsonBody({ body: bytes.toString('base64'), isBase64Encoded: true }, limit);

describe('a JSON body', () => {
  it('may arrive base64-encoded', async () => {
    expect(await readBytes(Buffer.from('{"name":"中"}'))).toEqual({ name: '中' });
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
});
