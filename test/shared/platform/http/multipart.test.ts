import { expect, it } from 'vitest';
import { uploadedForm } from '../../../../shared/platform/http/multipart.ts';
import type { EndpointEvent } from '../../../../shared/platform/http/request.ts';

type Part = { name: string; text: string; isFile?: boolean };

const fieldBytes = 256 * 1024;
const fileBytes = fieldBytes + 1;

const upload = (...parts: Part[]) => {
  const body = parts.map(({ name, text, isFile }) => {
    const file = isFile ? '; filename="a.csv"' : '';
    return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const event = { headers, body: `${body.join('')}--b--\r\n` } as unknown as EndpointEvent;
  return uploadedForm(event, { upload: 'file', ignoresUnknownNames: true }, fileBytes);
};
const file = { name: 'file', text: 'x'.repeat(fileBytes), isFile: true };

const others = Array.from({ length: 49 }, (_, i) => ({ name: `${i}`, text: 'x' }));
const otherFiles = others.map((other) => ({ ...other, isFile: true }));

it('a form has a file and fields up to their limits', async () => {
  const form = await upload(file, ...others, { name: 'a', text: 'y'.repeat(fieldBytes) });
  expect([form.file.fileName, form.file.bytes.length, form.fields.size]).toEqual(['a.csv', fileBytes, 50]);
  expect(form.fields.get('a')).toHaveLength(fieldBytes);
  expect((await upload(...otherFiles, file)).fields.size).toBe(49);
  // As `curl -F mapping=@titles.json` sends a field.
  const cut = await upload({ ...file, name: 'mapping' }, { ...file, text: '1' });
  expect(cut.fields.get('mapping')).toHaveLength(fieldBytes);
});

it.each([
  ['FILE_TOO_LARGE', undefined, [{ ...file, text: `${file.text}x` }]],
  ['a: is larger than 262144 bytes', 'TOO_LARGE', [file, { name: 'a', text: file.text }]],
  ['a: is given twice', 'DUPLICATE', [file, { name: 'a', text: '1' }, { name: 'a', text: '1' }]],
  ['file: the form has more than one part of this name', 'DUPLICATE', [file, file]],
  [
    'body: the form has more than 50 files or fields',
    'TOO_MANY',
    [...otherFiles, file, { ...file, name: 'dryRun' }],
  ],
  [
    'body: the form has more than 50 files or fields',
    'TOO_MANY',
    [file, ...others, ...['a', 'b'].map((name) => ({ name, text: '' }))],
  ],
])('a form is refused: %s', async (why, code, parts) => {
  const error = await upload(...parts).catch((refused) => refused);
  expect([error.word, error.message]).toContain(why);
  expect(error.errors[0]?.code).toBe(code);
});
