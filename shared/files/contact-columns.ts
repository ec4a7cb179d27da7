import { knownFields, outcomeTitles, reservedFields } from '../domain/contacts/contact.ts';
import { refused, shown } from './limits.ts';
import { fieldMeant, fieldNamed } from './titles.ts';
import { columnName } from './workbook.ts';

/** A column of a file: its letter, its title and the field its text goes to, `''` where it is left out. */
export type ContactColumn = { column: string; title: string; field: string };

/** Field names by title, `''` for a column to leave out. */
export type Mapping = ReadonlyMap<string, string>;

/** Set by the service, in one export or another, besides a contact's own reserved fields. */
const RESERVED = new Set([...reservedFields, 'callOutcome', 'callReason', 'importError']);
const MAX_TITLE_CHARACTERS = 64;

/** Where text goes that stands under no title: to a field named after its column, unless mapped. */
export function untitledFieldOf(at: number, mapping: Mapping): string {
  const field = `column ${columnName(at)}`;
  return mapping.get(field) ?? field;
}

/** Where the text of each column goes. @throws ServiceError invalid on titles that leave it open */
export function columnsOf(cells: readonly string[], mapping: Mapping): ContactColumn[] {
  const titles = titlesOf(cells);
  const fields = fieldsOf(titles, mapping);
  const columns = titles.map((title, at) => ({ column: columnName(at), title, field: fields[at]! }));
  for (const column of columns) checkField(column);
  // Those read and those left out apart: the export of a task may hold a field named like an outcome.
  const titled = (isRead: boolean) =>
    titles.filter((title, at) => title !== '' && (fields[at] !== '') === isRead && !mapping.has(title));
  const repeated =
    firstRepeated(fields.filter((field) => field !== '')) ??
    firstRepeated(titled(true)) ??
    firstRepeated(titled(false));
  if (repeated === undefined) return columns;
  const where = columns.filter(({ title, field }) => field === repeated || title === repeated);
  const places = where.map(({ column, title }) => `${column} "${shown(title)}"`).join(' and ');
  throw refused(`the title "${shown(repeated)}" appears twice: columns ${places}; rename or remove one`);
}

/** Whether a row tells where the phone numbers stand. */
export const hasPhoneTitle = (cells: readonly string[], mapping: Mapping): boolean =>
  fieldsOf(titlesOf(cells), mapping).includes('phoneNumber');

const titlesOf = (cells: readonly string[]) => cells.map((cell) => cell.trim());

function fieldsOf(titles: readonly string[], mapping: Mapping): string[] {
  const fields = titles.map((title, at) => {
    if (title === '') return untitledFieldOf(at, mapping);
    // As written only: an export may hold both `status` and a custom field `Status`.
    return mapping.get(title) ?? (RESERVED.has(title) || isOutcome(at, titles) ? '' : title);
  });
  for (const field of ['phoneNumber', ...knownFields]) {
    if (fields.includes(field)) continue;
    const open = (at: number) => fields[at] !== '' && titles[at] !== '' && !mapping.has(titles[at]!);
    const named = titles.findIndex((title, at) => open(at) && fieldNamed(title) === field);
    const at = named >= 0 ? named : titles.findIndex((title, at) => open(at) && fieldMeant(title) === field);
    if (at >= 0) fields[at] = field;
  }
  // A second phone number is never taken for a custom field.
  return fields.map((field) => (fieldNamed(field) === 'phoneNumber' ? 'phoneNumber' : field));
}

/** The export of a task, told by its column `contactId`, ends with what came of the calls. */
const isOutcome = (at: number, titles: readonly string[]): boolean =>
  titles.includes('contactId') &&
  outcomeTitles.has(titles[at] as string) &&
  titles.lastIndexOf(titles[at] as string) === at;

function checkField({ column, field }: ContactColumn): void {
  if ([...field].length > MAX_TITLE_CHARACTERS)
    throw refused(
      `the title "${shown(field)}" in column ${column} is longer than ${MAX_TITLE_CHARACTERS} characters`,
    );
}

const firstRepeated = (texts: string[]) => texts.find((text, at) => texts.indexOf(text) !== at);
