import type { TaskOverview } from '../../client/client.ts';

const firstNames = ['Ada', 'Ben', 'Chen', 'Dilara', 'Emil', 'Fatima', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const lastNames = ['Abe', 'Berg', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Gupta', 'Haas', 'Ivanova', 'Jung'];
const cities = ['Aachen', 'Bergen', 'Cork', 'Delft', 'Evora', 'Faro', 'Ghent'];

/** Numbers reserved for fiction in North America: 555-0100 to 555-0199 in each area. */
const phoneOf = (index: number) =>
  `+1${201 + Math.floor(index / 100)}5550${String(100 + (index % 100)).padStart(3, '0')}`;

const pick = (words: readonly string[], index: number) => words[index % words.length] as string;

/** A contact file of at most 10,000 rows. @param zoneOf the time zone of a contact that has one */
export const madeUpContacts = (count: number, zoneOf?: (index: number) => string | undefined): string => {
  const rows = Array.from({ length: count }, (_, i) =>
    [
      phoneOf(i),
      `${pick(firstNames, i)} ${pick(lastNames, Math.floor(i / firstNames.length))}`,
      pick(cities, i),
      (10 + ((i * 37) % 990)).toFixed(2),
      ...(zoneOf === undefined ? [] : [zoneOf(i) ?? '']),
    ].join(','),
  );
  const titles = `phoneNumber,customerName,address,orderAmount${zoneOf === undefined ? '' : ',timeZone'}`;
  return [titles, ...rows, ''].join('\r\n');
};

/** The form of an import request. */
export const fileForm = (content: string, name: string): FormData => {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  return form;
};

/** Shares of the calls that succeed, none by default. */
export type TalkShares = {
  disposition?: number | undefined;
  data?: number | undefined;
  summary?: number | undefined;
};

export type Disposition = TaskOverview['dispositions'][number];

/** What the dialer learned in a call. */
export type Talk = {
  disposition?: string | undefined;
  data?: { rating: number; recommends: boolean; heardFrom: string };
  summary?: string;
};

/** Numbers from 0 to below 1, one for each question: a changed share changes no other answer. */
export type TalkPoints = {
  hasDisposition: number;
  disposition: number;
  hasData: number;
  hasSummary: number;
  rating: number;
  heardFrom: number;
};

/** The business results of the made-up survey. Calls of tasks that declare none have them too. */
export const surveyDispositions: readonly Disposition[] = [
  { code: 'interested', label: 'Interested' },
  { code: 'notInterested', label: 'Not interested' },
  { code: 'wrongPerson', label: 'Wrong person', then: 'final' },
  { code: 'noTime', label: 'No time now', then: 'retry' },
  { code: 'optOut', label: 'Wants no calls', then: 'doNotCall' },
];

const channels = ['friends', 'a newspaper', 'the radio', 'a search'] as const;
const bestRating = 5;

const at = <T>(point: number, values: readonly T[]): T | undefined =>
  values[Math.floor(point * values.length)];

/** Only a person who wants no calls gets a disposition that excludes the number. */
const dispositionAt = (
  point: number,
  declared: readonly Disposition[],
  wantsNoCalls: boolean,
): Disposition | undefined => {
  const possible = declared.length > 0 ? declared : surveyDispositions;
  const fitting = possible.filter(({ then }) => (then === 'doNotCall') === wantsNoCalls);
  return at(point, fitting);
};

/** @param declared the dispositions of the task */
export const talkOf = (
  { disposition: dispositionShare = 0, data: dataShare = 0, summary: summaryShare = 0 }: TalkShares,
  points: TalkPoints,
  { duration, wantsNoCalls }: { duration: number; wantsNoCalls: boolean },
  declared: readonly Disposition[],
): Talk => {
  const found =
    points.hasDisposition < dispositionShare
      ? dispositionAt(points.disposition, declared, wantsNoCalls)
      : undefined;
  const rating = 1 + Math.floor(points.rating * bestRating);
  const heardFrom = at(points.heardFrom, channels)!;
  const words = [`A made-up talk of ${duration} seconds.`, `The person rates us ${rating} of ${bestRating}.`];
  if (found !== undefined) words.push(`${found.label || found.code}.`);
  return {
    ...(found && { disposition: found.code }),
    ...(points.hasData < dataShare && { data: { rating, recommends: rating > 3, heardFrom } }),
    ...(points.hasSummary < summaryShare && { summary: words.join(' ') }),
  };
};
