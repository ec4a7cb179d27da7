import { type ContactColumn, untitledFieldOf } from './contact-columns.ts';
import { type ContactFileOptions, type ContactTable, openContactFile } from './contact-table.ts';
import { columnName } from './workbook.ts';

export type ContactPreview = Omit<ContactTable, 'rows' | 'columns'> & {
  rowCount: number;
  columns: (ContactColumn & { samples: string[] })[];
};

const SAMPLES = 3;
/** Of a sample; enough to recognise what the column holds. */
const SAMPLE_CHARACTERS = 100;

/**
 * How a file would be read, with its first few texts of each column; of a `headerRow` without a phone title
 * too, so that a person can map its columns. @throws ServiceError invalid, tooLarge
 */
export async function previewOf(file: Uint8Array, options: ContactFileOptions = {}): Promise<ContactPreview> {
  const { rows, columns: titled, ...table } = await openContactFile(file, { ...options, anyTitles: true });
  const columns = titled.map((column) => ({ ...column, samples: [] as string[] }));
  let rowCount = 0;
  for await (const { cells } of rows) {
    rowCount++;
    for (const [at, cell] of cells.entries()) {
      if (cell.trim() === '') continue;
      while (columns.length <= at) columns.push(untitledColumn(columns.length, options));
      const { samples } = columns[at]!;
      if (samples.length < SAMPLES) samples.push(cell.slice(0, SAMPLE_CHARACTERS).toWellFormed());
    }
  }
  return { ...table, rowCount, columns: columns.filter(({ title, samples }) => title || samples.length > 0) };
}

const untitledColumn = (at: number, { mapping = new Map() }: ContactFileOptions) => ({
  column: columnName(at),
  title: '',
  field: untitledFieldOf(at, mapping),
  samples: [],
});
