import busboy from 'busboy';
import { invalid, ServiceError } from '../domain/errors.ts';

export type UploadedFile = { fileName: string; bytes: Buffer };

const notMultipart = () => invalid('file', 'send the file as multipart/form-data', 'BAD_FORM');

/**
 * The one file part of a form, held whole. @throws ServiceError invalid when the form or the part is
 * missing or broken off, tooLarge when the file is larger than `limit` bytes
 */
export const uploadedFile = (
  body: Buffer,
  contentType: string | undefined,
  part: string,
  limit: number,
): Promise<UploadedFile> =>
  new Promise((resolve, reject) => {
    if (!/^multipart\/form-data\b/i.test(contentType ?? '')) throw notMultipart();
    let found: UploadedFile | undefined;
    const parser = formParser(contentType as string, limit);
    parser.on('file', (name, stream, { filename }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () =>
        reject(new ServiceError('tooLarge', `the file is larger than ${Math.floor(limit / 1024 / 1024)} MB`)),
      );
      stream.on('error', () => reject(invalid(part, 'the form breaks off', 'BAD_FORM')));
      stream.on('end', () => {
        if (name !== part) return;
        if (found !== undefined) reject(invalid(part, 'the form has more than one such part', 'DUPLICATE'));
        found = { fileName: filename ?? '', bytes: Buffer.concat(chunks) };
      });
    });
    parser.on('error', () => reject(invalid(part, 'the form is malformed or breaks off', 'BAD_FORM')));
    parser.on('close', () =>
      found === undefined
        ? reject(invalid(part, 'the form has no such file part', 'REQUIRED'))
        : resolve(found),
    );
    parser.end(body);
  });

const formParser = (contentType: string, limit: number) => {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      // busboy calls a file of exactly its limit too large.
      limits: { fileSize: limit + 1, files: 5, fields: 50, parts: 60 },
      defParamCharset: 'utf8',
    });
  } catch {
    throw notMultipart();
  }
};

/** Header names come in any case. */
export const headerOf = ({ headers }: { headers: Record<string, string | undefined> }, name: string) =>
  Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
