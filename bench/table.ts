export type Cell = string | number | undefined;
export type Table = {
  title: string;
  note?: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
};

const grouped = new Intl.NumberFormat('en');

/** Three significant digits. A value that was not measured is a dash. */
export const shown = (cell: Cell): string => {
  if (cell === undefined) return '–';
  if (typeof cell === 'string') return cell;
  if (cell === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(cell))));
  return digits === 0 ? grouped.format(Math.round(cell)) : String(Number(cell.toFixed(digits)));
};

const isText = ({ rows }: Table, column: number) => rows.every((row) => typeof row[column] === 'string');

/** Head and rows, with every cell padded to the width of its column. */
const padded = (table: Table): string[][] => {
  const lines = [table.columns, ...table.rows.map((row) => row.map(shown))];
  const widths = table.columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const isTexts = table.columns.map((_, at) => isText(table, at));
  return lines.map((line) =>
    line.map((cell, at) => (isTexts[at] ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))),
  );
};

export const asText = (table: Table): string => {
  const [head = '', ...body] = padded(table).map((cells) => cells.join('  ').trimEnd());
  const rule = '-'.repeat(Math.max(head.length, ...body.map((line) => line.length)));
  const note = table.note === undefined ? [] : [table.note];
  return [`\n${table.title}`, ...note, rule, head, rule, ...body, ''].join('\n');
};

export const asMarkdown = (table: Table): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head = [], ...body] = padded(table);
  const rule = head.map((cell, at) => '-'.repeat(cell.length - 1) + (isText(table, at) ? '-' : ':'));
  return [
    `### ${table.title}`,
    '',
    ...(table.note === undefined ? [] : [table.note, '']),
    line(head),
    line(rule),
    ...body.map(line),
    '',
  ].join('\n');
};
