import { S3Error } from './s3-error.ts';
import type { S3Request } from './s3-request.ts';

/** What a request says about its signature, in its query (a presigned URL) or in its headers. */
export type Signed = {
  accessKeyId: string;
  scope: string[];
  date: string;
  /** Seconds. */
  expires: number;
  signedHeaders: string[];
  signature: string;
  /** The digest of the body, or why there is none. */
  payload: string;
  /** The refusal when something about the signature is wrong. */
  malformed: (message: string) => S3Error;
};

export const algorithm = 'AWS4-HMAC-SHA256';
const unsignedPayload = 'UNSIGNED-PAYLOAD';
const maxExpirySeconds = 7 * 24 * 3600;
/** How long a signature in the headers holds. */
const headerSeconds = 15 * 60;
const dateForm = /^\d{8}T\d{6}Z$/;
const authorizationForm = new RegExp(
  `^${algorithm} Credential=([^,\\s]+),\\s*SignedHeaders=([^,\\s]+),\\s*Signature=([^,\\s]+)$`,
);

const malformedQuery = (message: string) => new S3Error('AuthorizationQueryParametersError', message);
const malformedHeader = (message: string) => new S3Error('AuthorizationHeaderMalformed', message);

const readCredential = (credential: string) => {
  const [accessKeyId = '', ...scope] = credential.split('/');
  return { accessKeyId, scope };
};

const readQuery = (query: S3Request['query']): Signed => {
  const parameter = (name: string) => {
    const value = query.get(`X-Amz-${name}`);
    if (value === undefined) throw malformedQuery(`X-Amz-${name} is missing`);
    return value;
  };
  if (parameter('Algorithm') !== algorithm) {
    throw malformedQuery(`X-Amz-Algorithm only supports ${algorithm}`);
  }
  const credential = readCredential(parameter('Credential'));
  const date = parameter('Date');
  if (!dateForm.test(date)) throw malformedQuery('X-Amz-Date must have the form yyyyMMddTHHmmssZ');
  const expires = Number(parameter('Expires'));
  if (!Number.isInteger(expires) || expires < 1 || expires > maxExpirySeconds) {
    throw malformedQuery(`X-Amz-Expires must be between 1 and ${maxExpirySeconds} seconds`);
  }
  const payload = query.get('X-Amz-Content-Sha256') ?? unsignedPayload;
  if (payload !== unsignedPayload) throw malformedQuery(`X-Amz-Content-Sha256 must be ${unsignedPayload}`);
  return {
    ...credential,
    date,
    expires,
    signedHeaders: parameter('SignedHeaders').split(';'),
    signature: parameter('Signature'),
    payload,
    malformed: malformedQuery,
  };
};

const readHeaders = (headers: S3Request['headers']): Signed => {
  const [found, credential = '', signedHeaders = '', signature = ''] =
    authorizationForm.exec(headers.authorization ?? '') ?? [];
  if (found === undefined) throw malformedHeader(`Authorization only supports ${algorithm}`);
  const date = headers['x-amz-date'] ?? '';
  if (!dateForm.test(date)) throw malformedHeader('x-amz-date must have the form yyyyMMddTHHmmssZ');
  const payload = headers['x-amz-content-sha256'];
  if (payload === undefined) throw malformedHeader('x-amz-content-sha256 is missing');
  return {
    ...readCredential(credential),
    date,
    expires: headerSeconds,
    signedHeaders: signedHeaders.split(';'),
    signature,
    payload,
    malformed: malformedHeader,
  };
};

/** @throws S3Error when the request is not signed, or not in one of the two ways */
export const signedRequest = ({ query, headers }: S3Request): Signed => {
  if (query.has('X-Amz-Signature')) return readQuery(query);
  if (headers.authorization !== undefined) return readHeaders(headers);
  throw new S3Error('AccessDenied', 'Access Denied: the request is not signed');
};
