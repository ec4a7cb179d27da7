import type { Route } from '../api/route.ts';
import { invalid, ServiceError } from '../rules/errors.ts';
import { bodyBytes, type EndpointEvent, headerOf } from './request.ts';
import { assertFormNames } from './unknown-names.ts';

export type UploadedFile = { fileName: string; bytes: Buffer };
/** A file and the text fields beside it. A map, because clients choose the names. */
export type UploadedForm = { file: UploadedFile; fields: ReadonlyMap<string, string> };

const fieldBytes = 256 * 1024;
/** Maximum of files and of fields in a form. Otherwise busboy would drop further ones. */
const partsAtMost = 50;

/**
 * The text of a field that was sent as a file (`curl -F mapping=@titles.json`). A text that is cut
 * off here fails the check of its field later.
 */
const fieldText = (bytes: Buffer) => new TextDecoder().decode(bytes.subarray(0, fieldBytes));

const notMultipart = () => invalid('file', 'send the file as multipart/form-data', 'BAD_FORM');

const twoNameless = () => invalid('body', 'two parts of the form have no name', 'BAD_FORM');

/**
 * The form of a route, held in memory, with its one file part.
 * @throws ServiceError invalid if the form or the part is missing or incomplete, or the route
 *   refuses the name of a field; tooLarge if the file is larger than `limit` bytes
 */
export const uploadedForm = async (
  event: EndpointEvent,
  route: Pick<Route, 'form' | 'ignoresUnknownNames'> & { upload: string },
  limit: number,
): Promise<UploadedForm> => {
  const { file, fields } = await parsedForm(event, route.upload, limit);
  assertFormNames(route, [...fields.keys()]);
  if (file === undefined) throw invalid(route.upload, 'the form has no file part of this name', 'REQUIRED');
  return { file, fields };
};

/** `file` is absent if no part has the name of the file. */
type ParsedForm = Pick<UploadedForm, 'fields'> & { file: UploadedFile | undefined };

const parsedForm = async (event: EndpointEvent, part: string, limit: number): Promise<ParsedForm> => {
  const contentType = headerOf(event, 'content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) throw notMultipart();
  const parser = await formParser(contentType, limit);
  return new Promise((resolve, reject) => {
    let found: UploadedFile | undefined;
    const fields = new Map<string, string>();
    // busboy gives a part without a name no name at all, whatever its types say.
    const keep = (name: string | undefined = '', text: string) => {
      if (fields.has(name))
        reject(name === '' ? twoNameless() : invalid(name, 'is given twice', 'DUPLICATE'));
      fields.set(name, text);
    };
    parser.on('file', (name, stream, { filename }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () =>
        reject(
          new ServiceError('FILE_TOO_LARGE', `the file is larger than ${Math.floor(limit / 1024 / 1024)} MB`),
        ),
      );
      stream.on('error', () => reject(invalid(part, 'the form is incomplete', 'BAD_FORM')));
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (name !== part) return keep(name, fieldText(bytes));
        if (found !== undefined)
          reject(invalid(part, 'the form has more than one part of this name', 'DUPLICATE'));
        found = { fileName: filename ?? '', bytes };
      });
    });
    parser.on('field', (name, value, { valueTruncated }) => {
      if (valueTruncated) reject(invalid(name, `is larger than ${fieldBytes} bytes`, 'TOO_LARGE'));
      keep(name, value);
    });
    const refuseMore = () =>
      reject(invalid('body', `the form has more than ${partsAtMost} files or fields`, 'TOO_MANY'));
    parser.on('filesLimit', refuseMore);
    parser.on('fieldsLimit', refuseMore);
    parser.on('error', () => reject(invalid(part, 'the form is malformed or incomplete', 'BAD_FORM')));
    parser.on('close', () => resolve({ file: found, fields }));
    parser.end(bodyBytes(event));
  });
};

/** busboy is loaded with the first form, so that functions start faster. */
const formParser = async (contentType: string, limit: number) => {
  const { default: busboy } = await import('busboy');
  try {
    return busboy({
      headers: { 'content-type': contentType },
      // busboy refuses a file or a field that has exactly its limit.
      limits: { fileSize: limit + 1, files: partsAtMost, fieldSize: fieldBytes + 1, fields: partsAtMost },
      defParamCharset: 'utf8',
    });
  } catch {
    throw notMultipart();
  }
};
