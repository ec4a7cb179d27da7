import { type FieldError, NoAnswer, ServiceRefusal } from '../../../client/service-error.ts';
import type { Dictionary } from '../i18n/i18n.ts';

/** A file that is no longer what it was when the reader chose it: the browser does not send it. */
export class FileChanged extends Error {}

/** The reader has cancelled the import while its file was uploaded. */
export class UploadCancelled extends Error {}

/** What a refusal means to the reader: words for the fields that it names, and words for the whole. */
export type Trouble = { fields: Record<string, string>; whole: string | undefined };

type Words = Readonly<Record<string, string | undefined>>;

/** `breaks/0/start` and `breaks[0].start` are about `breaks`. */
const rootOf = (field: string) => field.replace(/^\/?(\w+).*$/s, '$1');

/** Names and texts have the same limits wherever they are. */
const alike: Readonly<Record<string, keyof Dictionary['setting']>> = {
  dataSourceName: 'taskName',
  dataSourceDesc: 'taskDesc',
  reason: 'taskDesc',
};

/** Words for a code of a file, for a field or for a setting of a task. */
const knownWords = (t: Dictionary, { field, code, message }: FieldError): string | undefined => {
  const { files, fields }: { files: Words; fields: Words } = t.errors;
  const root = rootOf(field);
  if (code === 'BAD_FILE') return `${files[code]} ${message}`;
  return (
    files[code] ?? fields[root] ?? t.setting[alike[root] ?? (root as keyof Dictionary['setting'])]?.fault
  );
};

/** Why an import failed or is stuck. */
export const importReason = (
  { reasonCode, message }: { reasonCode: string | null; message: string },
  t: Dictionary,
): string => {
  const { files, codes }: { files: Words; codes: Words } = t.errors;
  const reasons: Words = t.imports.reasons;
  const code = reasonCode ?? '';
  if (code === 'BAD_FILE') return `${files[code]} ${message}`;
  return reasons[code] ?? files[code] ?? codes[code] ?? message;
};

/** The service's own message stands where the page has no words for its code. */
const refusalWords = ({ code, errorCode, errors, message, requestId }: ServiceRefusal, t: Dictionary) => {
  const codes: Words = t.errors.codes;
  const [first] = errors;
  const words = (first === undefined ? codes[errorCode ?? ''] : knownWords(t, first)) ?? message;
  return code >= 500 && requestId ? `${words} ${t.errors.requestId(requestId)}` : words;
};

export type Shown = {
  /** The field that must be unique, where a form has one. */
  taken?: string;
  /** The fields that the form can show something beside. */
  shown?: readonly string[];
};

export const troubleOf = (error: unknown, t: Dictionary, { taken, shown = [] }: Shown = {}): Trouble => {
  const whole = (words: string | undefined) => ({ fields: {}, whole: words });
  if (error === null || error === undefined) return whole(undefined);
  if (error instanceof FileChanged) return whole(t.errors.fileChanged);
  if (error instanceof UploadCancelled) return whole(t.import.cancelled);
  if (error instanceof NoAnswer) return whole(t.errors.network);
  if (!(error instanceof ServiceRefusal)) return whole(t.errors.codes.INTERNAL);
  if (taken !== undefined && /^(NAME|PHONE_NUMBER)_TAKEN$/.test(error.errorCode ?? '')) {
    return { fields: { [taken]: refusalWords(error, t) }, whole: undefined };
  }
  const named = error.errors.filter(({ field }) => shown.includes(rootOf(field)));
  const fields = Object.fromEntries(
    named.map((each) => [rootOf(each.field), knownWords(t, each) ?? each.message]),
  );
  const isAll = named.length > 0 && named.length === error.errors.length;
  return { fields, whole: isAll ? undefined : refusalWords(error, t) };
};

export const troubleWords = (error: unknown, t: Dictionary): string =>
  troubleOf(error, t).whole ?? t.errors.codes.INTERNAL;
