import { pipeline } from 'node:stream/promises';
import type { EmbeddedS3 } from '../s3/embedded-s3.ts';
import { type Front, openFront } from './front.ts';
import type { Need, RolePolicy } from './iam.ts';

type Role = Pick<RolePolicy, 'permits'>;

const actionOf = (method: string, query: URLSearchParams): string => {
  if (method === 'DELETE') return query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject';
  return method === 'GET' || method === 'HEAD' ? 's3:GetObject' : 's3:PutObject';
};

export const s3Need = (method: string, path: string, query: URLSearchParams, bucket: string): Need => {
  const [, , ...key] = path.split('/').map(decodeURIComponent);
  if (query.has('list-type'))
    return { action: 's3:ListBucket', resource: bucket, keys: [query.get('prefix') ?? ''] };
  return { action: actionOf(method, query), resource: `${bucket}/${key.join('/')}`, keys: [] };
};

/**
 * Without the right to list, S3 does not tell a missing object from a forbidden one. Whether it
 * takes the object's key for the prefix then, or none, is not documented: the right must hold
 * either way.
 */
export const hidesMissing = (role: Role, bucket: string, { resource }: Need) =>
  [[resource.slice(bucket.length + 1)], []].some(
    (keys) => !role.permits({ action: 's3:ListBucket', resource: bucket, keys }),
  );

const denied = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

/** The embedded S3 at an address, behind the roles of the stack like the table's front. */
export const s3Front = async (
  { answer }: EmbeddedS3,
  roleOf: (name: string) => Role | undefined,
  bucketLogicalId: string,
): Promise<Front> => {
  return openFront(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const headers = request.headers as Record<string, string>;
    // A signed address carries the rights of the role that signed it.
    const signer = url.searchParams.get('X-Amz-Security-Token');
    const role = roleOf(signer ?? headers['x-amz-security-token'] ?? '');
    const need = s3Need(request.method ?? 'GET', url.pathname, url.searchParams, bucketLogicalId);
    const refuse = () => response.writeHead(403, { 'content-type': 'application/xml' }).end(denied);
    if (role === undefined || !role.permits(need)) return refuse();
    const answered = await answer({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      body: request,
    });
    if (
      answered.statusCode === 404 &&
      need.action === 's3:GetObject' &&
      hidesMissing(role, bucketLogicalId, need)
    ) {
      answered.body.destroy();
      return refuse();
    }
    response.writeHead(answered.statusCode, answered.headers);
    await pipeline(answered.body, response).catch(() => response.destroy());
  });
};
