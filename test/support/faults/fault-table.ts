import { faults } from './fault-line.ts';

/** What became of one function: for each kind of failure how many calls were tried and held. */
export type FaultRow = {
  name: string;
  calls: number;
  cells: number;
  kinds: Record<string, { held: number; notApplicable: number }>;
};

declare module 'vitest' {
  interface TaskMeta {
    faultRow?: FaultRow;
  }
}

/** Shown as `held/calls`, and in brackets the calls to which that kind cannot happen. */
const cellOf = ({ calls, kinds }: FaultRow, fault: string): string => {
  const { held = 0, notApplicable = 0 } = kinds[fault] ?? {};
  return `${held}/${calls}${notApplicable === 0 ? '' : ` (${notApplicable})`}`;
};

const totalOf = (rows: readonly FaultRow[], fault: string) => {
  const sum = (of: (row: FaultRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const held = sum(({ kinds }) => kinds[fault]?.held ?? 0);
  return `${held}/${sum(({ calls }) => calls)}`;
};

const explanation =
  'A fault at every call to AWS: cells that held / calls of the function (in brackets: cannot happen to that call).\n' +
  'Held and bracketed make up all calls.';

/** Functions x calls x kinds of failure. */
export const faultTable = (rows: readonly FaultRow[]): string => {
  const lines = [
    ['function', 'calls', ...faults],
    ...rows.map((row) => [row.name, String(row.calls), ...faults.map((fault) => cellOf(row, fault))]),
    [
      `${rows.length} in all`,
      String(rows.reduce((sum, { calls }) => sum + calls, 0)),
      ...faults.map((fault) => totalOf(rows, fault)),
    ],
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  const cells = rows.reduce((sum, row) => sum + row.cells, 0);
  return `${explanation}\n\n${text.join('\n')}\n\n${cells} cells were run`;
};
