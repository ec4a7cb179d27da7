/**
 * What became of one scenario: how many troubles it was put to, and how many of them cannot happen
 * to its calls.
 */
export type FaultRow = { name: string; calls: number; held: number; notApplicable: number };

declare module 'vitest' {
  interface TaskMeta {
    faultRow?: FaultRow;
  }
}

/** Scenarios x calls x troubles. */
export const faultTable = (rows: readonly FaultRow[]): string => {
  const sum = (of: (row: FaultRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const lines = rows.map(
    ({ name, calls, held, notApplicable }) =>
      `${name}: ${calls} calls, ${held} troubles, and ${notApplicable} that cannot happen`,
  );
  const total = `${rows.length} scenarios, ${sum(({ calls }) => calls)} calls, ${sum(({ held }) => held)} troubles`;
  return ['Troubles at every call to AWS that did no harm', ...lines, total].join('\n');
};
