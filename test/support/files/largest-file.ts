import { workbookParts, zipOf } from './workbook-zip.ts';

const rowCount = 10_000;
const columnCount = 100;
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const row = (cells: string[]) => `<row>${cells.join('')}</row>`;

/**
 * About the most work that a file within the limits can make: a million cells. No row has a phone number that
 * can be called, so that a service reads all of it and stores nothing. What reading it takes on this machine
 * is the measure for files that are refused.
 */
export const largestFile = (): Buffer => {
  const texts = ['phoneNumber', ...upTo(columnCount - 1).map((at) => `title ${at}`), 'none', 'some text'];
  const strings = texts.map((text) => `<si><t>${text}</t></si>`).join('');
  const titles = row(upTo(columnCount).map((at) => `<c t="s"><v>${at}</v></c>`));
  const shared = `<c t="s"><v>${columnCount + 1}</v></c>`;
  const values = row([`<c t="s"><v>${columnCount}</v></c>`, shared.repeat(columnCount - 1)]);
  return zipOf(workbookParts(titles + values.repeat(rowCount - 1), { strings }));
};
