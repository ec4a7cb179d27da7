import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { S3Error } from './s3-error.ts';
import { decoded, type S3Request } from './s3-request.ts';

export type Credentials = { accessKeyId: string; secretAccessKey: string };

/** What a presigned URL says about its signature. */
type Signed = {
  accessKeyId: string;
  scope: string[];
  date: string;
  /** Seconds. */
  expires: number;
  signedHeaders: string[];
  signature: string;
};

const algorithm = 'AWS4-HMAC-SHA256';
const unsignedPayload = 'UNSIGNED-PAYLOAD';
const maxExpirySeconds = 7 * 24 * 3600;
const clockSkewMs = 15 * 60 * 1000;
const dateForm = /^\d{8}T\d{6}Z$/;

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const denied = (message: string) => new S3Error('AccessDenied', message);
const malformed = (message: string) => new S3Error('AuthorizationQueryParametersError', message);

const readQuery = (query: S3Request['query']): Signed => {
  if (!query.has('X-Amz-Signature')) throw denied('Access Denied: the request is not signed');
  const parameter = (name: string) => {
    const value = query.get(`X-Amz-${name}`);
    if (value === undefined) throw malformed(`X-Amz-${name} is missing`);
    return value;
  };
  if (parameter('Algorithm') !== algorithm) throw malformed(`X-Amz-Algorithm only supports ${algorithm}`);
  const [accessKeyId = '', ...scope] = parameter('Credential').split('/');
  const date = parameter('Date');
  if (!dateForm.test(date)) throw malformed('X-Amz-Date must have the form yyyyMMddTHHmmssZ');
  const expires = Number(parameter('Expires'));
  if (!Number.isInteger(expires) || expires < 1 || expires > maxExpirySeconds) {
    throw malformed(`X-Amz-Expires must be between 1 and ${maxExpirySeconds} seconds`);
  }
  const payload = query.get('X-Amz-Content-Sha256') ?? unsignedPayload;
  if (payload !== unsignedPayload) throw malformed(`X-Amz-Content-Sha256 must be ${unsignedPayload}`);
  const signedHeaders = parameter('SignedHeaders').split(';');
  return { accessKeyId, scope, date, expires, signedHeaders, signature: parameter('Signature') };
};

const millisecondsOf = (date: string): number =>
  Date.parse(date.replace(/^(.{4})(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));

const checkTime = ({ date, expires }: Signed, now: number) => {
  const signedAt = millisecondsOf(date);
  if (Number.isNaN(signedAt)) throw malformed('X-Amz-Date is no date');
  if (signedAt > now + clockSkewMs) throw denied('Request is not valid yet');
  if (now > signedAt + expires * 1000) throw denied('Request has expired');
};

/** A header that changes what the request does must not ride along unsigned. */
const checkHeaders = ({ signedHeaders }: Signed, headers: S3Request['headers']) => {
  if (!signedHeaders.includes('host')) throw malformed('host must be among the signed headers');
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    throw denied(`There were headers present in the request which were not signed: ${unsigned.join(', ')}`);
  }
};

const canonicalRequest = ({ method, path, query, headers }: S3Request, signedHeaders: string[]): string => {
  const parameters = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]): [string, string] => [encoded(name), encoded(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return [
    method,
    decoded(path).split('/').map(encoded).join('/'),
    parameters.join('&'),
    ...signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    unsignedPayload,
  ].join('\n');
};

/** @throws S3Error unless it was presigned with these credentials, for this very request and time */
export const verifyPresigned = (
  request: S3Request,
  { accessKeyId, secretAccessKey }: Credentials,
  region: string,
  now: number,
): void => {
  const signed = readQuery(request.query);
  const { date, scope } = signed;
  if (signed.accessKeyId !== accessKeyId) {
    throw new S3Error('InvalidAccessKeyId', 'The access key Id you provided does not exist in our records.');
  }
  if (scope.join('/') !== `${date.slice(0, 8)}/${region}/s3/aws4_request`) {
    throw malformed(`the credential must be scoped to a day, ${region}, s3 and aws4_request`);
  }
  checkTime(signed, now);
  checkHeaders(signed, request.headers);
  const digest = createHash('sha256').update(canonicalRequest(request, signed.signedHeaders)).digest('hex');
  const signingKey = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const expected = hmac(signingKey, [algorithm, date, scope.join('/'), digest].join('\n'));
  const given = Buffer.from(signed.signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Error(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided: the URL, the method ' +
        'or a signed header (such as the exact Content-Length) differs from what was signed.',
    );
  }
};
