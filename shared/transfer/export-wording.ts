import { type ContactStatus, contactStatus } from '../domain/contacts/contact.ts';
import { isBuiltIn } from '../domain/contacts/data-source.ts';
import type { CallReason } from '../domain/dialing/dialing.ts';
import type { StandingName } from '../domain/dialing/task-contact-views.ts';
import { invalid } from '../domain/errors.ts';
import { clockText, type FormatTime, type Instant, timeIn } from '../domain/time.ts';
import { type Language, words } from '../domain/words.ts';
import { isTimeZone } from '../domain/zones.ts';
import type { Cell } from '../files/index.ts';

/** How a client wants an export written. Without these options the file is as the contract describes it. */
export type WordingOptions = { labels?: Language | undefined; timeZone?: string | undefined };

const statusNames = Object.fromEntries(
  Object.entries(contactStatus).map(([name, status]) => [status, name]),
) as Record<ContactStatus, keyof typeof contactStatus>;

/** Titles and cells of an export: for programs as the contract has them, or for people in words. */
export type Wording = {
  isForPeople: boolean;
  titles: (names: readonly string[]) => string[];
  status: (status: ContactStatus) => Cell;
  standing: (standing: StandingName) => Cell;
  reason: (reason: CallReason | null) => Cell;
  time: (instant: Instant | null) => string;
  yes: (is: boolean) => Cell;
  /** The columns of a duration: for people the talk time of reached calls, and how long the others rang. */
  durationTitles: (name: string) => string[];
  /** Seconds in all, and of them in reached calls; `undefined`: not known. */
  durations: (all: number, talk: number | undefined) => Cell[];
  sheet: (name: 'contacts' | 'calls') => string;
  /** The name of an exclusion list. */
  list: (list: { id: string; name: string }) => string;
};

const zoned = (timeZone: string): FormatTime => {
  if (!isTimeZone(timeZone))
    throw invalid('timeZone', 'must be an IANA time zone such as Europe/Berlin', 'UNKNOWN');
  return timeIn(timeZone);
};

/** @throws ServiceError invalid when the zone is not an IANA name */
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
    };
  }
  const { title, standing, reason, sheet, yes, no } = words[labels];
  const labelOf = (name: string) => (Object.hasOwn(title, name) ? title[name as keyof typeof title] : name);
  return {
    isForPeople: true,
    // A custom field may be called like a label: no title appears twice.
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
  };
};
