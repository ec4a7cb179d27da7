import { NoAnswer, ServiceRefusal } from '../../../client/service-error.ts';
import { type Dictionary, language } from '../i18n/i18n.ts';

/** A file that is no longer what it was when the reader chose it: the browser does not send it. */
export class FileChanged extends Error {}

/** What a refusal means to the reader: words for the fields that it names, and words for the whole. */
export type Trouble = { fields: Record<string, string>; whole: string | undefined };

const codes = [400, 401, 403, 404, 405, 409, 413, 422, 429, 500] as const;
type Code = (typeof codes)[number];
type Fields = keyof Dictionary['errors']['fields'];
type Taken = keyof Dictionary['errors']['taken'];

const codeOf = (code: number): Code => codes.find((known) => known === code) ?? (code >= 500 ? 500 : 400);

/** `breaks/0/start` and `breaks[0].start` are about `breaks`. */
const rootOf = (field: string) => field.replace(/^\/?(\w+).*$/s, '$1');

/** The service explains itself in English; for other readers its words follow ours. */
const withDetail = (ours: string, theirs: string): string =>
  language.get() === 'en' ? theirs.charAt(0).toUpperCase() + theirs.slice(1) : `${ours}（${theirs}）`;

/** Names and texts have the same limits wherever they are. */
const kinds: Record<string, Fields> = {
  taskName: 'name',
  dataSourceName: 'name',
  taskDesc: 'text',
  dataSourceDesc: 'text',
  reason: 'text',
};
const knownWords = (t: Dictionary, field: string): string | undefined => {
  const root = rootOf(field);
  return t.errors.fields[kinds[root] ?? (root as Fields)];
};

const fieldWords = (t: Dictionary, field: string, message: string): string => {
  const known = knownWords(t, field);
  return known ?? withDetail(t.errors[400], `${field} ${message}`);
};

const refusalWords = (error: ServiceRefusal, t: Dictionary): string => {
  const code = codeOf(error.code);
  const words = t.errors[code];
  if (code === 500 && error.requestId) return `${words} ${t.errors.requestId(error.requestId)}`;
  const [first] = error.errors;
  if (first !== undefined) return withDetail(knownWords(t, first.field) ?? words, first.message);
  return code === 400 ? withDetail(words, error.message) : words;
};

export type Shown = {
  /** The field that a 409 is about, where a form has a field that must be unique. */
  taken?: Taken;
  /** The fields that the form can show something beside. */
  shown?: readonly string[];
};

export const troubleOf = (error: unknown, t: Dictionary, { taken, shown = [] }: Shown = {}): Trouble => {
  if (error === null || error === undefined) return { fields: {}, whole: undefined };
  if (error instanceof FileChanged) return { fields: {}, whole: t.errors.fileChanged };
  if (error instanceof NoAnswer) return { fields: {}, whole: t.errors.network };
  if (!(error instanceof ServiceRefusal)) return { fields: {}, whole: t.errors[500] };
  if (error.code === 409 && taken !== undefined) {
    return { fields: { [taken]: t.errors.taken[taken] }, whole: undefined };
  }
  const named = error.errors.filter(({ field }) => shown.includes(rootOf(field)));
  const fields = Object.fromEntries(
    named.map(({ field, message }) => [rootOf(field), fieldWords(t, field, message)]),
  );
  const isAll = named.length > 0 && named.length === error.errors.length;
  return { fields, whole: isAll ? undefined : refusalWords(error, t) };
};

export const troubleWords = (error: unknown, t: Dictionary): string => {
  const { whole, fields } = troubleOf(error, t);
  return whole ?? Object.values(fields)[0] ?? t.errors[500];
};
