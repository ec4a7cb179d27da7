import { type ContactStatus, contactStatus } from '../contacts/rules/contact.ts';
import type { StandingName } from '../dialing/rules/task-contact-views.ts';
import { loadCsvWriter, loadXlsxWriter } from '../files/open-workbook.ts';
import type { Cell } from '../files/workbook.ts';
import type { SheetContent } from '../files/xlsx-writer.ts';
import type { ExportFile } from '../platform/http/file-endpoint.ts';
import type { LazyObjects } from '../platform/objects/objects.ts';
import { count } from '../platform/observability/metrics.ts';
import { invalid, ServiceError } from '../platform/rules/errors.ts';
import { isBuiltIn } from '../platform/rules/names.ts';
import { clockText, compactTime, type FormatTime, type Instant } from '../platform/time/time.ts';
import { isTimeZone, timeIn } from '../platform/time/zones.ts';
import type { CallReason } from '../tasks/rules/task-settings.ts';
import { type Language, words } from './rules/words.ts';

/**
 * How a client wants an export to be written. Without these options the file is as the contract
 * describes it.
 */
export type WordingOptions = { labels?: Language | undefined; timeZone?: string | undefined };

const statusNames = Object.fromEntries(
  Object.entries(contactStatus).map(([name, status]) => [status, name]),
) as Record<ContactStatus, keyof typeof contactStatus>;

/** Titles and cells of an export: for programs as in the contract, or for people in words. */
export type Wording = {
  isForPeople: boolean;
  titles: (names: readonly string[]) => string[];
  status: (status: ContactStatus) => Cell;
  standing: (standing: StandingName) => Cell;
  reason: (reason: CallReason | null) => Cell;
  time: (instant: Instant | null) => string;
  yes: (is: boolean) => Cell;
  /** The columns of a duration: for people the talk time, and how long other calls rang. */
  durationTitles: (name: string) => string[];
  /** Seconds of all calls, and of reached calls; `undefined`: not known. */
  durations: (all: number, talk: number | undefined) => Cell[];
  sheet: (name: 'contacts' | 'calls') => string;
  /** The name of an exclusion list. */
  list: (list: { id: string; name: string }) => string;
  /** For a blocked contact with an emergency number. */
  emergency: string;
  callBefore: string;
};

const zoned = (timeZone: string): FormatTime => {
  if (!isTimeZone(timeZone))
    throw invalid('timeZone', 'must be an IANA time zone such as Europe/Berlin', 'UNKNOWN');
  return timeIn(timeZone);
};

/** @throws ServiceError invalid if the zone is not an IANA name */
export const wordingOf = ({ labels, timeZone }: WordingOptions, formatTime: FormatTime): Wording => {
  const format = timeZone === undefined ? formatTime : zoned(timeZone);
  const time = (instant: Instant | null) => (instant === null ? '' : format(instant));
  if (labels === undefined) {
    return {
      isForPeople: false,
      titles: (names) => [...names],
      status: (status) => status,
      standing: (standing) => standing,
      reason: (reason) => reason ?? '',
      yes: String,
      durationTitles: (name) => [name],
      durations: (all) => [all],
      time,
      sheet: (name) => words.en.sheet[name],
      list: ({ name }) => name,
      emergency: 'EMERGENCY',
      callBefore: 'CALL_BEFORE',
    };
  }
  const { title, standing, reason, sheet, yes, no } = words[labels];
  const labelOf = (name: string) => (Object.hasOwn(title, name) ? title[name as keyof typeof title] : name);
  return {
    isForPeople: true,
    // A custom field may have the name of a label. No title appears twice.
    titles: (names) => names.map((name) => (names.includes(labelOf(name)) ? name : labelOf(name))),
    status: (status) => standing[statusNames[status]],
    standing: (name) => standing[name],
    reason: (name) => (name === null ? '' : reason[name]),
    yes: (is) => (is ? yes : no),
    durationTitles: () => ['talkTime', 'ringTime'],
    durations: (all, talk) => (talk === undefined ? ['', ''] : [talk, all - talk].map(clockText)),
    time,
    sheet: (name) => sheet[name],
    list: ({ id, name }) => (isBuiltIn(id) ? words[labels].doNotCall : name),
    emergency: words[labels].emergency,
    callBefore: words[labels].callBefore,
  };
};

/** Files below this prefix are written for one download and expire. */
export const exportPrefix = 'exports/';

export type ExportFormat = 'csv' | 'excel';

export type Sheets = readonly [SheetContent, ...SheetContent[]];

const kinds = {
  csv: {
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    writer: async () => {
      const csvRows = await loadCsvWriter();
      return ([{ titles, batches }]: Sheets) => csvRows(titles, batches);
    },
  },
  excel: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    writer: loadXlsxWriter,
  },
} as const;

export type RenderDependencies = {
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
  /** Maximum of bytes of a file in an answer; absent: no limit. */
  fileBytesAtMost?: number | undefined;
};

/** `instead`: what the client can do. @throws ServiceError tooLarge */
export const assertAnswerable = (
  { fileBytesAtMost = Number.POSITIVE_INFINITY }: Pick<RenderDependencies, 'fileBytesAtMost'>,
  bytes: number,
  instead: string,
): void => {
  if (bytes <= fileBytesAtMost) return;
  const [size, most] = [bytes, fileBytesAtMost].map((each) => Math.ceil(each / 1_000_000));
  throw new ServiceError(
    'FILE_TOO_LARGE',
    `the file has ${size} MB, and an answer at most ${most}: ${instead}`,
  );
};

type FileContent = {
  /** The name of the file is `<name>_<timestamp>.<extension>`. */
  name: string;
  /** The name for people, before the timestamp, and the clock of that timestamp. */
  shown?: { name: string; time: (instant: Instant) => string };
  format: ExportFormat;
  /** A CSV file has only the first one. */
  sheets: Sheets;
  /** What a client can do if the file is too large for an answer. */
  instead: string;
};

/** Characters that file systems do not allow in names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const unsafe = /[\u0000-\u001f\u007f\\/:*?"<>|]+/g;

/** Writes rows into an object of the bucket, batch by batch, and opens it for the client. */
export const renderFile = async (
  deps: RenderDependencies,
  { name, shown, format, sheets, instead }: FileContent,
  signal?: AbortSignal,
): Promise<ExportFile> => {
  const objects = await deps.objects();
  const { extension, contentType, writer } = kinds[format];
  const write = await writer();
  const now = deps.now();
  const fileName = `${name}_${compactTime(deps.formatTime(now))}.${extension}`;
  const key = `${exportPrefix}${deps.newId()}/${fileName}`;
  await objects.putStream(key, write(sheets), contentType, signal === undefined ? {} : { signal });
  const file = await objects.open(key);
  try {
    assertAnswerable(deps, file.size, instead);
  } catch (error) {
    file.body.destroy();
    throw error;
  }
  count('ExportBytes', file.size);
  const shownName =
    shown && `${shown.name.replace(unsafe, '_')}_${compactTime(shown.time(now))}.${extension}`;
  return { fileName, ...(shownName === undefined ? {} : { shownName }), contentType, ...file };
};

export async function* mapped<A, B>(items: AsyncIterable<A>, map: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield map(item);
}
