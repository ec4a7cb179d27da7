import type { Call } from './call.ts';
import { deleteObject, getObject, headObject, listObjects, putObject } from './object-operations.ts';
import { S3Error } from './s3-error.ts';
import { type S3Request, type S3Response, splitPath } from './s3-request.ts';
import { abortUpload, completeUpload, createUpload, listUploads, uploadPart } from './upload-operations.ts';

type Operation = {
  method: string;
  on: 'bucket' | 'object';
  /** Query parameters that name the operation. */
  needs: string[];
  takes?: string[];
  run: (call: Call) => Promise<S3Response>;
};

const operations: Operation[] = [
  { method: 'PUT', on: 'object', needs: [], run: putObject },
  { method: 'GET', on: 'object', needs: [], run: getObject },
  { method: 'HEAD', on: 'object', needs: [], run: headObject },
  { method: 'DELETE', on: 'object', needs: [], run: deleteObject },
  {
    method: 'GET',
    on: 'bucket',
    needs: ['list-type'],
    takes: ['prefix', 'max-keys', 'continuation-token', 'start-after'],
    run: listObjects,
  },
  { method: 'GET', on: 'bucket', needs: ['uploads'], takes: ['prefix'], run: listUploads },
  { method: 'POST', on: 'object', needs: ['uploads'], run: createUpload },
  { method: 'PUT', on: 'object', needs: ['partNumber', 'uploadId'], run: uploadPart },
  { method: 'POST', on: 'object', needs: ['uploadId'], run: completeUpload },
  { method: 'DELETE', on: 'object', needs: ['uploadId'], run: abortUpload },
];

const harmlessHeaders = new Set([
  'x-amz-checksum-algorithm',
  'x-amz-checksum-crc32',
  'x-amz-checksum-mode',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-user-agent',
]);
const conditions = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

/** What would change the meaning of a request and is not built here is refused, never passed over. */
const refuseUnknownHeaders = ({ method, headers }: S3Request) => {
  if (
    headers['content-encoding']?.includes('aws-chunked') ||
    headers['x-amz-content-sha256']?.startsWith('STREAMING-')
  ) {
    throw new S3Error('NotImplemented', 'aws-chunked bodies are not taken; send the plain bytes');
  }
  const unknown = Object.keys(headers).find(
    (name) =>
      (name.startsWith('x-amz-') && !harmlessHeaders.has(name)) ||
      (conditions.includes(name) && !(name === 'range' && method === 'GET')),
  );
  if (unknown !== undefined) {
    throw new S3Error(
      'NotImplemented',
      `The header ${unknown} implies functionality that is not implemented`,
    );
  }
};

/** @throws S3Error */
export const perform = async (call: Omit<Call, 'key'>): Promise<S3Response> => {
  const { request, bucketName } = call;
  const { bucket, key } = splitPath(request.path);
  if (bucket !== bucketName) throw new S3Error('NoSuchBucket', 'The specified bucket does not exist');
  refuseUnknownHeaders(request);
  const parameters = [...request.query.keys()].filter(
    (name) => name !== 'x-id' && !name.toLowerCase().startsWith('x-amz-'),
  );
  const operation = operations.find(
    ({ method, on, needs, takes = [] }) =>
      method === request.method &&
      (on === 'object') === (key !== '') &&
      needs.every((name) => parameters.includes(name)) &&
      parameters.every((name) => needs.includes(name) || takes.includes(name)),
  );
  if (operation === undefined) {
    throw new S3Error('NotImplemented', 'This operation or one of its parameters is not implemented');
  }
  return operation.run({ ...call, key });
};
