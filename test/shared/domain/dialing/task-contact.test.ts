import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { moves } from '../../../../shared/domain/dialing/task-contact.ts';

const documented = (): Map<string, [from: string, to: string]> => {
  const text = readFileSync(new URL('../../../../docs/dialing.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split("### A contact's way through a task");
  const [, , ...rows] = section.trim().split('\n\n')[0]!.split('\n');
  return new Map(
    rows.map((line) => {
      const [, move = '', from = '', to = ''] = line.split('|').map((cell) => cell.trim());
      return [move, [from, to]];
    }),
  );
};

describe('the moves of a task contact', () => {
  it('are those that the documentation names, from and to the states it names', () => {
    const rows = documented();
    expect([...rows.keys()]).toEqual(Object.keys(moves));
    for (const [move, { from, to }] of Object.entries(moves)) {
      const [fromWords, toWords] = rows.get(move)!;
      for (const state of from) expect(fromWords, move).toContain(state);
      for (const state of to) expect(toWords, move).toContain(state);
    }
  });
});
