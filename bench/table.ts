export type Cell = string | number | undefined;
export type Table = {
  title: string;
  note?: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
};

const grouped = new Intl.NumberFormat('en');

/** Three digits that matter; nothing where nothing was measured. */
export const shown = (cell: Cell): string => {
  if (cell === undefined) return '–';
  if (typeof cell === 'string') return cell;
  if (cell === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(cell))));
  return digits === 0 ? grouped.format(Math.round(cell)) : String(Number(cell.toFixed(digits)));
};

const isText = ({ rows }: Table, column: number) => rows.every((row) => typeof row[column] === 'string');

export const asText = (table: Table): string => {
  const lines = [table.columns, ...table.rows.map((row) => row.map(shown))];
  const widths = table.columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const textOf = (line: readonly string[]) =>
    line
      .map((cell, at) => (isText(table, at) ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = lines;
  const rule = '-'.repeat(Math.max(...lines.map((line) => textOf(line).length)));
  const note = table.note === undefined ? [] : [table.note];
  return [`\n${table.title}`, ...note, rule, textOf(head), rule, ...body.map(textOf), ''].join('\n');
};

export const asMarkdown = (table: Table): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = table.columns.map((_, at) => (isText(table, at) ? '---' : '---:'));
  return [
    `### ${table.title}`,
    '',
    ...(table.note === undefined ? [] : [table.note, '']),
    line(table.columns),
    line(rule),
    ...table.rows.map((row) => line(row.map(shown))),
    '',
  ].join('\n');
};
