import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { statusOfWord } from '../../shared/platform/api/answers.ts';
import { type ErrorWord, errorWords, fieldCodes, saysLater } from '../../shared/platform/rules/errors.ts';

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

it('the API guide says which answers are not stored under an Idempotency-Key', async () => {
  const [, listed = ''] =
    /^- An answer that says "later" is not stored:(.*?)\.\s/ms.exec(await guide()) ?? [];
  const isListed = (word: ErrorWord) => {
    const status = statusOfWord(word);
    return listed.includes(`\`${word}\``) || listed.includes(status >= 500 ? '5xx' : String(status));
  };
  const words = Object.keys(errorWords) as ErrorWord[];
  expect(words.filter(isListed)).toEqual(words.filter(saysLater));
});
