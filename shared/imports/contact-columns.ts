import {
  fieldNameAtMost,
  type MeaningfulField,
  meaningfulFields,
  outcomeTitles,
  reservedFields,
} from '../contacts/rules/contact.ts';
import { normalisePhone } from '../contacts/rules/phone-number.ts';
import { badFile, columnName, shorten } from '../files/workbook.ts';

/** A column: its letter, its title, and the field for its text, `''` if it is ignored. */
export type ContactColumn = { column: string; title: string; field: string };

/** Field names by title; `''` for an ignored column. */
export type Mapping = ReadonlyMap<string, string>;

/** Titles in the service's own exports, besides a contact's reserved fields. */
const reserved = new Set([...reservedFields, 'callOutcome', 'callReason', 'importError']);

const englishPhones = ['phone', 'mobile', 'cell', 'tel', 'telephone'];
const chinesePhones =
  '手机 手机号 手机号码 电话 电话号码 联系电话 联系方式 号码 被叫号码 移动电话 ' +
  '客户电话 客户手机 客户手机号码 电话1 电话号码1 手机1 手机号码1';

/** Titles that people write above the columns of the fields that the service knows. */
const synonyms: Record<MeaningfulField, string[]> = {
  phoneNumber: [
    ...englishPhones.flatMap((word) => [word, `${word}number`, `${word}no`]),
    ...chinesePhones.split(' '),
  ],
  customerName: 'name customer fullname 姓名 客户 客户姓名 客户名称 联系人 名字 称呼 收件人'.split(' '),
  address: ['地址', '联系地址', '住址', '通讯地址', '家庭地址', '收货地址'],
  orderAmount: ['amount', '金额', '订单金额', '消费金额', '欠费金额'],
  timeZone: ['tz', '时区'],
  callAfter: [],
  callBefore: [],
};

/** NFKC has turned the full-width variants of ASCII brackets into ASCII. */
const brackets = /[([{<【〔《〈「『〖][^)\]}>】〕》〉」』〗]*[)\]}>】〕》〉」』〗]/g;

/** Titles are compared without case, width, spaces, `_`, `-`, `*`, and text in brackets. */
const keyOf = (title: string) =>
  title
    .normalize('NFKC')
    .replace(brackets, '')
    .replace(/[\s_.:*#-]/g, '')
    .toLowerCase();

const byName = new Map<string, MeaningfulField>(
  meaningfulFields.map((field) => [field.toLowerCase(), field]),
);
const bySynonym = new Map<string, MeaningfulField>([
  ...byName,
  ...meaningfulFields.flatMap((field) =>
    synonyms[field].map((key): [string, MeaningfulField] => [key, field]),
  ),
]);

const fieldNamed = (title: string) => byName.get(title.toLowerCase());
const fieldMeant = (title: string) => bySynonym.get(keyOf(title));

/** The name of a column without a title. */
export const titleOfLetter = (at: number) => `column ${columnName(at)}`;

/** The field of a column without a title. It is named after the column, unless it is mapped. */
export const untitledFieldOf = (at: number, mapping: Mapping): string =>
  mapping.get(titleOfLetter(at)) ?? titleOfLetter(at);

/**
 * The columns of a sheet without titles, named by their letters. `phoneAt` is the column of the
 * phone numbers, if it is known.
 * @throws ServiceError invalid if two columns have the same field
 */
export const letteredColumns = (
  width: number,
  phoneAt: number | undefined,
  mapping: Mapping,
): ContactColumn[] => {
  const columns = Array.from({ length: width }, (_, at) => ({
    column: columnName(at),
    title: titleOfLetter(at),
    field: at === phoneAt ? 'phoneNumber' : untitledFieldOf(at, mapping),
  }));
  return refuseRepeated(columns, firstRepeated(columns.map(({ field }) => field).filter((field) => field)));
};

/** The field of each column. @throws ServiceError invalid if two columns have the same field */
export const columnsOf = (cells: readonly string[], mapping: Mapping): ContactColumn[] => {
  const titles = titlesOf(cells);
  const fields = fieldsOf(titles, mapping);
  const columns = titles.map((title, at) => ({ column: columnName(at), title, field: fields[at]! }));
  for (const column of columns) checkLength(column);
  // Read and ignored columns are compared separately, because the export of a task may have a field
  // named like an outcome.
  const titlesWhere = (isRead: boolean) =>
    titles.filter((title, at) => title !== '' && (fields[at] !== '') === isRead && !mapping.has(title));
  const repeated =
    firstRepeated(fields.filter((field) => field !== '')) ??
    firstRepeated(titlesWhere(true)) ??
    firstRepeated(titlesWhere(false));
  return refuseRepeated(columns, repeated);
};

const refuseRepeated = (columns: ContactColumn[], repeated: string | undefined): ContactColumn[] => {
  if (repeated === undefined) return columns;
  const letters = columns
    .filter(({ title, field }) => field === repeated || title === repeated)
    .map(({ column, title }) => `${column} "${shorten(title)}"`);
  throw badFile(
    `the title "${shorten(repeated)}" appears twice: columns ${letters.join(' and ')}; rename or remove one`,
    'REPEATED_TITLE',
  );
};

/** Whether a row of titles tells which column has the phone numbers. */
export const hasPhoneTitle = (cells: readonly string[], mapping: Mapping): boolean =>
  fieldsOf(titlesOf(cells), mapping).includes('phoneNumber');

const titlesOf = (cells: readonly string[]) => cells.map((cell) => cell.trim());

const fieldsOf = (titles: readonly string[], mapping: Mapping): string[] => {
  const fields = titles.map((title, at) => {
    if (title === '') return untitledFieldOf(at, mapping);
    // Compared with case, because an export may have both `status` and a custom field `Status`.
    return mapping.get(title) ?? (reserved.has(title) || isOutcome(at, titles) ? '' : title);
  });
  const isOpen = (at: number) => fields[at] !== '' && titles[at] !== '' && !mapping.has(titles[at]!);
  for (const field of meaningfulFields) {
    if (fields.includes(field)) continue;
    const named = titles.findIndex((title, at) => isOpen(at) && fieldNamed(title) === field);
    const at =
      named >= 0 ? named : titles.findIndex((title, at) => isOpen(at) && fieldMeant(title) === field);
    if (at >= 0) fields[at] = field;
  }
  // A second phone number never becomes a custom field.
  return fields.map((field) => (fieldNamed(field) === 'phoneNumber' ? 'phoneNumber' : field));
};

/** The export of a task has a column `contactId` and ends with the outcomes of its calls. */
const isOutcome = (at: number, titles: readonly string[]): boolean =>
  titles.includes('contactId') &&
  outcomeTitles.has(titles[at] as string) &&
  titles.lastIndexOf(titles[at] as string) === at;

const checkLength = ({ column, field }: ContactColumn): void => {
  if ([...field].length > fieldNameAtMost)
    throw badFile(
      `the title "${shorten(field)}" in column ${column} is longer than ${fieldNameAtMost} characters`,
    );
};

const firstRepeated = (texts: string[]) => texts.find((text, at) => texts.indexOf(text) !== at);

/** People write an apostrophe before a number, so that a spreadsheet keeps it as text. */
const apostrophe = /^\s*['‘’＇`´](?=\s*[+\d０-９(（])/;
export const dropApostrophe = (cell: string) => cell.replace(apostrophe, '');

/** Without their signs, dates and amounts have as many digits as phone numbers. */
const dateOrAmount = /^\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b.*|\d+[.,]\d{1,2})\s*$/;
const fewestDigits = 7;
/** International, with a trunk prefix, or a Chinese mobile number, unlike order numbers. */
const typical = /^(?:\+|0\d|(?:86)?1[3-9]\d{9}$)/;

/** How much a text looks like a phone number: from 0, not at all, to 2, surely. */
const likeness = (cell: string): number => {
  const number = dateOrAmount.test(cell) ? undefined : normalisePhone(dropApostrophe(cell));
  if (number === undefined || number.replace('+', '').length < fewestDigits) return 0;
  return typical.test(number) ? 2 : 1;
};

export const looksLikePhone = (cell: string) => likeness(cell) > 0;

/**
 * The column of the phone numbers: most of its texts look like phone numbers, and more so than
 * those of any other column. Of two equal columns it is the left one. `mayBe` tells which columns
 * are considered.
 */
export const findPhoneColumn = (
  rows: readonly (readonly string[])[],
  mayBe: (at: number) => boolean,
): number | undefined => {
  const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  let best: { at: number; score: number } | undefined;
  for (let at = 0; at < width; at++) {
    const texts = rows.map((cells) => cells[at] ?? '').filter((cell) => cell.trim() !== '');
    const likenesses = texts.map(likeness);
    const isMostlyPhones = likenesses.filter((value) => value > 0).length * 2 > texts.length;
    const score = likenesses.reduce((sum, value) => sum + value, 0);
    if (isMostlyPhones && mayBe(at) && score > (best?.score ?? 0)) best = { at, score };
  }
  return best?.at;
};
