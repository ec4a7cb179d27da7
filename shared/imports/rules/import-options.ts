import { fieldNameAtMost, reservedFields } from '../../contacts/rules/contact.ts';
import { fewestDigits, mostDigits } from '../../contacts/rules/phone-number.ts';
import { invalid } from '../../platform/rules/errors.ts';
import { maxColumns, maxLines } from '../../platform/rules/files.ts';
import type { ImportOptions, OnDuplicate } from './contact-import.ts';

/** The options of a JSON body, with the types that the route's schema asks for. */
type SentOptions = {
  mapping?: Readonly<Record<string, string>> | undefined;
  sheet?: string | undefined;
  headerRow?: number | undefined;
  onDuplicate?: OnDuplicate | undefined;
  dryRun?: boolean | undefined;
  minDigits?: number | undefined;
};

/** Characters of all titles and fields. They are stored in the record of the import. */
const mappingAtMost = 50_000;
const sheetAtMost = 255;

const readMapping = (input: unknown): [string, string][] => {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const pairs = isObject ? Object.entries(input) : [];
  if (!isObject || pairs.some(([, field]) => typeof field !== 'string'))
    throw invalid('mapping', 'must be a JSON object of field names by title', 'WRONG_TYPE');
  if (pairs.length > maxColumns) throw invalid('mapping', `has more than ${maxColumns} titles`, 'TOO_MANY');
  const mapping = pairs.map(([title, field]): [string, string] => [title.trim(), field.trim()]);
  if (mapping.reduce((sum, [title, field]) => sum + title.length + field.length, 0) > mappingAtMost)
    throw invalid('mapping', `has more than ${mappingAtMost} characters`, 'TOO_LARGE');
  for (const [title, field] of mapping) {
    if (!title.isWellFormed() || !field.isWellFormed())
      throw invalid('mapping', 'holds half of a surrogate pair', 'BAD_TEXT');
    if (reservedFields.has(field)) throw invalid('mapping', `the field "${field}" is set by the service`);
    if ([...field].length > fieldNameAtMost)
      throw invalid('mapping', `a field name has at most ${fieldNameAtMost} characters`, 'TOO_LONG');
  }
  const fields = mapping.map(([, field]) => field).filter((field) => field !== '');
  const repeated = fields.find((field, at) => fields.indexOf(field) !== at);
  if (repeated !== undefined)
    throw invalid('mapping', `two titles go to the field "${repeated}"`, 'DUPLICATE');
  return mapping;
};

const readSheet = (sheet: string): string => {
  if (sheet.trim() === '' || sheet.length > sheetAtMost)
    throw invalid('sheet', `must be the name of a sheet, 1 to ${sheetAtMost} characters`);
  return sheet;
};

const readHeaderRow = (line: number): number => {
  if (!Number.isInteger(line) || line < 0 || line > maxLines)
    throw invalid('headerRow', `must be a line number from 1 to ${maxLines}, or 0 for a file without titles`);
  return line;
};

const readOnDuplicate = (word: string): OnDuplicate => {
  if (word !== 'skip' && word !== 'update')
    throw invalid('onDuplicate', 'must be one of skip, update', 'NOT_A_CHOICE');
  return word;
};

const readMinDigits = (digits: number): number => {
  if (!Number.isInteger(digits) || digits < fewestDigits || digits > mostDigits)
    throw invalid('minDigits', `must be a whole number from ${fewestDigits} to ${mostDigits}`);
  return digits;
};

/** The options that a client sent. @throws ServiceError invalid */
export const readImportOptions = ({
  mapping,
  sheet,
  headerRow,
  onDuplicate,
  dryRun,
  minDigits,
}: SentOptions): ImportOptions => ({
  ...(mapping === undefined ? {} : { mapping: readMapping(mapping) }),
  ...(sheet === undefined ? {} : { sheet: readSheet(sheet) }),
  ...(headerRow === undefined ? {} : { headerRow: readHeaderRow(headerRow) }),
  ...(onDuplicate === undefined ? {} : { onDuplicate: readOnDuplicate(onDuplicate) }),
  ...(dryRun === undefined ? {} : { dryRun }),
  ...(minDigits === undefined ? {} : { minDigits: readMinDigits(minDigits) }),
});

const parsedMapping = (text: string): Record<string, string> => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('mapping', 'is not JSON', 'BAD_JSON');
  }
};

const readFlag = (text: string): boolean => {
  if (text !== 'true' && text !== 'false')
    throw invalid('dryRun', 'must be one of true, false', 'NOT_A_CHOICE');
  return text === 'true';
};

const readWhole = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/**
 * The same from the fields of a form. An empty field counts as not sent.
 * @throws ServiceError invalid
 */
export const readImportForm = (fields: ReadonlyMap<string, string>): ImportOptions => {
  const field = (name: string) => fields.get(name)?.trim() || undefined;
  const mapping = field('mapping');
  const headerRow = field('headerRow');
  const dryRun = field('dryRun');
  const minDigits = field('minDigits');
  return readImportOptions({
    ...(mapping === undefined ? {} : { mapping: parsedMapping(mapping) }),
    sheet: field('sheet'),
    ...(headerRow === undefined ? {} : { headerRow: readWhole(headerRow) }),
    onDuplicate: field('onDuplicate') as OnDuplicate | undefined,
    ...(dryRun === undefined ? {} : { dryRun: readFlag(dryRun) }),
    ...(minDigits === undefined ? {} : { minDigits: readWhole(minDigits) }),
  });
};
