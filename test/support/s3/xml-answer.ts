import { Readable } from 'node:stream';
import type { S3Error } from './s3-error.ts';
import type { S3Response } from './s3-request.ts';
import { type Xml, xmlDocument } from './xml.ts';

export const xmlAnswer = (root: string, value: Xml, status = 200): S3Response => {
  const body = Buffer.from(xmlDocument(root, value));
  const headers = { 'content-type': 'application/xml', 'content-length': String(body.length) };
  return { status, headers, body: Readable.from([body]) };
};

export const errorAnswer = ({ code, message, status }: S3Error, resource: string, requestId: string) =>
  xmlAnswer('Error', { Code: code, Message: message, Resource: resource, RequestId: requestId }, status);
