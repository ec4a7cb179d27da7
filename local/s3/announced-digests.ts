import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from './s3-error.ts';
import type { S3Request } from './s3-request.ts';

const sha256Form = /^[0-9a-f]{64}$/;

const base64Of = (crc: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc);
  return bytes.toString('base64');
};

/** The body of a request, which fails at its end unless it has the digests that the headers announce. */
export async function* asAnnounced({ headers, body }: S3Request): AsyncGenerator<Uint8Array> {
  const sha256 = createHash('sha256');
  let crc = 0;
  for await (const chunk of body) {
    sha256.update(chunk);
    crc = crc32(chunk, crc);
    yield chunk;
  }
  const announcedSha256 = headers['x-amz-content-sha256'] ?? '';
  if (sha256Form.test(announcedSha256) && announcedSha256 !== sha256.digest('hex')) {
    throw new S3Error('XAmzContentSHA256Mismatch', 'The body is not the one that was signed.');
  }
  const announcedCrc = headers['x-amz-checksum-crc32'];
  if (announcedCrc !== undefined && announcedCrc !== base64Of(crc)) {
    throw new S3Error('BadDigest', 'The CRC32 you specified did not match what we received.');
  }
}
