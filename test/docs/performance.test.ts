import { expect, it } from 'vitest';
import { textOf } from '../support/docs/pages.ts';

/**
 * The rows of the table below a heading, by their first cell: each cell under the title of its
 * column.
 */
const tableOf = (page: string, heading: string): Record<string, Record<string, string>> => {
  const [, section = ''] = textOf(page).split(`# ${heading}\n`);
  const lines = (/(^\|.*\n)+/m.exec(section)?.[0] ?? '').trimEnd().split('\n');
  const [titles = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return Object.fromEntries(
    rows.map(([name = '', ...cells]) => [
      name,
      Object.fromEntries(cells.map((cell, at) => [titles[at + 1] ?? '', cell])),
    ]),
  );
};

it('the page about performance has the figures that were measured', () => {
  const figures = 'bench/figures.md';
  const measured = tableOf(figures, 'Operations at 1,000,000 contacts');
  const growth = tableOf(figures, 'Growth from 1,000 to 1,000,000 contacts');
  const rows = Object.entries(tableOf('docs/performance.md', 'What stays flat'));
  expect(rows.length).toBeGreaterThan(5);
  for (const [name, row] of rows) {
    const { RCU, WCU, 'naive RCU': naive } = measured[name] ?? {};
    const grown = growth[name]?.['ours, units'];
    expect([name, row]).toEqual([name, { RCU, WCU, growth: grown, 'naive RCU': naive }]);
  }
});
