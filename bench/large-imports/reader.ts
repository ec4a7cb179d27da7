import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type FileSource, limitsFor } from '../../shared/files/index.ts';
import { checkedParts } from '../../shared/imports/checked-rows.ts';
import { highestMaxRows } from '../../shared/platform/rules/index.ts';

/** Runs in its own process: `reader.ts <tool> <file> <rows>`. Sends the rows a second. */
const [tool = '', file = '', count = ''] = process.argv.slice(2);

/** As an import reads a file of any size: from where it lies, with every check of its rows. */
const ours = async (): Promise<number> => {
  const { size } = await stat(file);
  const source: FileSource = {
    size,
    chunks: (start = 0, end = size) => createReadStream(file, { start, end: end - 1 }),
  };
  const { parts } = await checkedParts(source, {}, undefined, limitsFor(highestMaxRows));
  let rows = 0;
  for await (const { importCount } of parts) rows += importCount;
  return rows;
};

const csvParse = async (): Promise<number> => {
  const { parse } = await import('csv-parse');
  let rows = -1;
  for await (const _ of createReadStream(file).pipe(parse({ bom: true }))) rows++;
  return rows;
};

const sheetJs = async (): Promise<number> => {
  const { read, utils } = await import('xlsx');
  const { Sheets, SheetNames } = read(await readFile(file), { dense: true });
  return utils.sheet_to_json(Sheets[SheetNames[0]!]!, { header: 1, raw: false }).length - 1;
};

const start = performance.now();
const rows = await { ours, csvParse, sheetJs }[tool]!();
if (rows !== Number(count)) throw new Error(`${tool} reads ${rows} of ${count} rows`);
process.send!(rows / ((performance.now() - start) / 1000));
process.disconnect();
