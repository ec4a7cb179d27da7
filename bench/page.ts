import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { type ScaleFigures, scaleTables } from './scale/scale.ts';
import { asMarkdown, type Table } from './table.ts';

export type Measured = {
  command: string;
  tables: readonly Table[];
  elapsed: string;
};

const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim() || arch()}, ${Math.round(totalmem() / 2 ** 30)} GB, ` +
  `${type()} ${release()}, Node.js ${process.version}`;

const head = ({ command, elapsed }: Measured) => `# Figures

[docs/performance.md](../docs/performance.md) says what they mean.

Everything below was printed by one run of

\`\`\`
${command}
\`\`\`

on ${new Date().toISOString().slice(0, 10)}, in ${elapsed}, on ${machine()}. The command writes this page. Do not edit it.

## How to read it

- **RCU, WCU** are capacity units on AWS. They are counted from the sizes of the items read and written, by DynamoDB's
  published rules (consistent reads, transactions twice, index items included), because local engines under-report them.
- **Calls in a row** is the longest chain of calls that wait for each other. These figures, the KB and the ratios are the
  same on every machine, and \`npm test\` holds them to their budgets. Times are only indicative, because the machine was shared.
- **naive** is one item a contact in the same engine. An operation that needs an order, a total, a free phone number or a
  status reads all items. All contacts are read once through Query pages. That cost is added to each operation that needs
  it.
- **PG** is PostgreSQL 15 with the same contacts, a unique index on the phone number, \`OFFSET\`, \`count(*)\`, \`LIKE\` and
  \`INSERT … ON CONFLICT\`. Its figures are pages of 8 KB touched and time, both from \`EXPLAIN (ANALYZE, BUFFERS)\` with a
  warm cache. **trigram** is the same search with an index of pg_trgm.
- A contact has three known and two custom fields, about 300 bytes as one item. An import or a recall is one call of the
  service. An import has 10,000 rows. A recall has a tenth of all contacts, at most 100,000.
`;

const page = new URL('figures.md', import.meta.url);
/** Between these lines is the part of the page that `--scale` writes. */
const scaleMarks = ['<!-- npm run bench -- --scale -->', '<!-- end of --scale -->'] as const;
const scalePattern = new RegExp(`${scaleMarks[0]}[^]*${scaleMarks[1]}`);

/** Replaces the part of bench/figures.md about load. */
export const writeScale = async (measured: ScaleFigures): Promise<void> => {
  const part = [scaleMarks[0], '', ...scaleTables(measured).map(asMarkdown), scaleMarks[1]].join('\n');
  await writeFile(
    page,
    (await readFile(page, 'utf8')).replace(scalePattern, () => part),
  );
};

/** Writes bench/figures.md. The part about load stays as it is. */
export const writePage = async (measured: Measured): Promise<void> => {
  const [scale = scaleMarks.join('\n')] = scalePattern.exec(await readFile(page, 'utf8')) ?? [];
  const text = [
    head(measured),
    '## Figures',
    '',
    ...measured.tables.map(asMarkdown),
    '## Load',
    '',
    'Written by `npm run bench -- --scale`, which changes nothing else on this page.',
    '',
    scale,
    '',
  ].join('\n');
  await writeFile(page, text);
};
