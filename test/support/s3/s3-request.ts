import { Readable } from 'node:stream';
import { S3Error } from './s3-error.ts';

export type S3Request = {
  method: string;
  /** As sent: percent-encoded. */
  path: string;
  query: ReadonlyMap<string, string>;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: AsyncIterable<Uint8Array>;
  sourceIp: string;
};

export type S3Response = { status: number; headers: Record<string, string>; body: Readable };

export const noBody = (): Readable => Readable.from([]);

export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
  }
};

/** Not read with URL, which would resolve `..` inside a key and turn `+` into a space. */
export const splitTarget = (target: string): { path: string; query: Map<string, string> } => {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new Map<string, string>();
  const pairs = mark < 0 ? [] : target.slice(mark + 1).split('&');
  for (const pair of pairs.filter((pair) => pair !== '')) {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    // A name given twice could be signed as one value and acted on as the other.
    if (query.has(name)) throw new S3Error('InvalidArgument', `${name} is given twice`);
    query.set(name, equals < 0 ? '' : decoded(pair.slice(equals + 1)));
  }
  return { path, query };
};

const maxKeyBytes = 1024;
// Characters XML 1.0 cannot carry, so that no listing could ever name the key.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to refuse
const unlistable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** The bucket and the key (empty for the bucket itself) of a path-style address. */
export const splitPath = (path: string): { bucket: string; key: string } => {
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decoded(path)) ?? [];
  if (Buffer.byteLength(key) > maxKeyBytes) throw new S3Error('KeyTooLongError', 'Your key is too long');
  if (unlistable.test(key)) throw new S3Error('InvalidURI', 'The key holds control characters');
  return { bucket, key };
};
