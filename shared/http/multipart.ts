import { invalid, ServiceError } from '../domain/errors.ts';
import type { EndpointEvent } from './endpoint.ts';
import { headerOf } from './header.ts';
import { bodyBytes } from './json-body.ts';

export type UploadedFile = { fileName: string; bytes: Buffer };
/** The texts beside the file, by name; the names are a client's. */
export type UploadedForm = { file: UploadedFile; fields: ReadonlyMap<string, string> };

const fieldBytes = 256 * 1024;

/** Of a text sent as a file (`curl -F mapping=@titles.json`). One that is cut off here fails the check of its own. */
const textOf = (bytes: Buffer) => new TextDecoder().decode(bytes.subarray(0, fieldBytes));

const notMultipart = () => invalid('file', 'send the file as multipart/form-data', 'BAD_FORM');

/**
 * A form with one file part, held whole. @throws ServiceError invalid when the form or the part is
 * missing or broken off, tooLarge when the file is larger than `limit` bytes
 */
export const uploadedForm = async (
  event: EndpointEvent,
  part: string,
  limit: number,
): Promise<UploadedForm> => {
  const contentType = headerOf(event, 'content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) throw notMultipart();
  const parser = await formParser(contentType, limit);
  return new Promise((resolve, reject) => {
    let found: UploadedFile | undefined;
    const fields = new Map<string, string>();
    const keep = (name: string, text: string) => {
      if (fields.has(name)) reject(invalid(name, 'is given twice', 'DUPLICATE'));
      fields.set(name, text);
    };
    parser.on('file', (name, stream, { filename }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () =>
        reject(new ServiceError('tooLarge', `the file is larger than ${Math.floor(limit / 1024 / 1024)} MB`)),
      );
      stream.on('error', () => reject(invalid(part, 'the form breaks off', 'BAD_FORM')));
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (name !== part) return keep(name, textOf(bytes));
        if (found !== undefined) reject(invalid(part, 'the form has more than one such part', 'DUPLICATE'));
        found = { fileName: filename ?? '', bytes };
      });
    });
    parser.on('field', (name, value, { valueTruncated }) => {
      if (valueTruncated) reject(invalid(name, `is larger than ${fieldBytes} bytes`, 'TOO_LARGE'));
      keep(name, value);
    });
    parser.on('error', () => reject(invalid(part, 'the form is malformed or breaks off', 'BAD_FORM')));
    parser.on('close', () =>
      found === undefined
        ? reject(invalid(part, 'the form has no such file part', 'REQUIRED'))
        : resolve({ file: found, fields }),
    );
    parser.end(bodyBytes(event));
  });
};

/** Loaded with the first form, not at start. */
const formParser = async (contentType: string, limit: number) => {
  const { default: busboy } = await import('busboy');
  try {
    return busboy({
      headers: { 'content-type': contentType },
      // busboy calls a file of exactly its limit too large.
      limits: { fileSize: limit + 1, files: 5, fieldSize: fieldBytes, fields: 50, parts: 60 },
      defParamCharset: 'utf8',
    });
  } catch {
    throw notMultipart();
  }
};
