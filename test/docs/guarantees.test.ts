import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root, textOf } from '../support/docs/pages.ts';

const tests = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' });

it('every guarantee names tests that exist, and a command that runs one of them', () => {
  const rows = [...textOf('docs/guarantees.md').matchAll(/^\| \*\*.*$/gm)].map(([row]) => row);
  expect(rows.length).toBeGreaterThan(8);
  for (const row of rows) {
    const named = [...row.matchAll(/`(test\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const [command = ''] = /`(?:TEST_SAMPLE=7 )?np[mx] [^`]+`/.exec(row) ?? [];
    const word = command.replaceAll('`', '').split(' ').at(-1) ?? '';
    const runs = command.includes('--throttled') ? 'throttled.all' : word.replace('test/', '');
    expect(
      named.some((file) => file.includes(runs)),
      command,
    ).toBe(true);
    expect(
      tests.some((file) => file.includes(runs)),
      command,
    ).toBe(true);
  }
});
