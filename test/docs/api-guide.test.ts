import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { statusOfWord } from '../../shared/api/status.ts';
import { type ErrorWord, errorWords } from '../../shared/domain/errors.ts';
import { fieldCodes } from '../../shared/domain/field-codes.ts';

const guide = () => readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');

it('the API guide lists every error code with its status, and every code of a field', async () => {
  const text = await guide();
  const rows = [...text.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)`/gm)].map(([, status, word]) => [
    word,
    Number(status),
  ]);
  const words = Object.keys(errorWords) as ErrorWord[];
  expect(rows).toEqual(words.map((word) => [word, statusOfWord(word)]));
  for (const code of Object.keys(fieldCodes)) expect(text).toContain(`\`${code}\``);
});
