import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { compressedFrom } from '../../shared/platform/api/route.ts';
import { takes } from '../../shared/platform/http/site.ts';

type Answer = { statusCode: number; headers?: Record<string, unknown> | undefined; body: string | Buffer };

const zipped = promisify(gzip);

/** Like API Gateway. An answer that is compressed already stays as it is. */
export const compressed = async (answer: Answer, acceptEncoding: string | undefined): Promise<Answer> => {
  const { headers, body } = answer;
  const isSmall = Buffer.byteLength(body) < compressedFrom;
  if (isSmall || headers?.['content-encoding'] !== undefined || !takes('gzip', acceptEncoding)) return answer;
  return { ...answer, headers: { ...headers, 'content-encoding': 'gzip' }, body: await zipped(body) };
};
