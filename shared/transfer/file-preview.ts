import type { Numbering } from '../domain/contacts/phone-number.ts';
import { countByCode, type ImportOptions, type RejectedCounts } from '../domain/imports/contact-import.ts';
import { previewContactFile } from '../files/index.ts';
import { checkContactFile, fileOptionsOf } from './checked-rows.ts';

/** What a check of every row found, without a data source. Rejected rows are counted by code. */
type FileCheck = {
  successCount: number;
  failCount: number;
  rejected: RejectedCounts;
  /** Different phone numbers: with + or 00, without, and not valid in the country or as an international number. */
  internationalCount: number;
  nationalCount: number;
  doubtfulCount: number;
};

const checkFile = async (
  file: Uint8Array,
  options: ImportOptions,
  numbering: Numbering,
): Promise<FileCheck> => {
  const written = new Set<string>();
  const { rows, rejected } = await checkContactFile(file, options, (number) => {
    written.add(number);
    return numbering.spell(number);
  });
  const numbers = [...written];
  const internationalCount = numbers.filter((number) => /^(?:\+|00)/.test(number)).length;
  return {
    successCount: rows.length,
    failCount: rejected.length,
    rejected: countByCode(rejected),
    internationalCount,
    nationalCount: numbers.length - internationalCount,
    doubtfulCount: numbers.filter((number) => !numbering.isValid(number)).length,
  };
};

/**
 * How a file would be read. With `dryRun`, phone numbers under no known title are found by their content, and every row
 * is checked; without a column of phone numbers there is no check. @throws ServiceError invalid, tooLarge
 */
export const previewFile = async (
  file: Uint8Array,
  options: ImportOptions,
  numbering: () => Promise<Numbering>,
) => {
  const { dryRun = false, ...reading } = options;
  const preview = await previewContactFile(file, { ...fileOptionsOf(reading), byContent: dryRun });
  const phone = preview.columns.find(({ field }) => field === 'phoneNumber');
  if (!dryRun || phone === undefined) return preview;
  const { sheet, headerRow } = preview;
  const title: [string, string] = [phone.title || `column ${phone.column}`, 'phoneNumber'];
  const mapping = [...(reading.mapping ?? []), title];
  const header = sheet === '' ? { headerRow } : { headerRow, sheet };
  return { ...preview, check: await checkFile(file, { ...reading, ...header, mapping }, await numbering()) };
};
