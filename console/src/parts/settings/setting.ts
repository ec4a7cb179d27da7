import type { JSX } from 'preact';
import type { Dictionary } from '../../i18n/i18n.ts';
import type { Labelled } from '../../ui/fields/field.tsx';

/** What the control of a setting is given, beside the value that the form holds. */
export type ControlProps<Typed> = Labelled & {
  value: Typed;
  onValue: (value: Typed) => void;
  /** Of the task: its time zone, and its contact list. */
  zone: string;
  sourceId: string | undefined;
};

/** Everything that the console knows of a setting beside its words. `Typed`: the value as the form holds it. */
export type Setting<Value, Typed> = {
  typed: (value: Value) => Typed;
  value: (typed: Typed) => Value;
  /** What can be told before the service is asked. */
  isWrong?: (typed: Typed) => boolean;
  /** The value as the reader says it, empty for none; by default as it is. `lists`: names of contact lists. */
  words?: (value: Value, t: Dictionary, lists: ReadonlyMap<string, string>) => string;
  isOptional?: true;
  Control: (props: ControlProps<Typed>) => JSX.Element;
};

type Range = { minimum: number; maximum: number };

export const isWithin = (text: string, { minimum, maximum }: Range): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum;

const isEmpty = (text: string) => text.trim() === '';

/** Empty, or a whole number of the range. */
export const isLimit = (text: string, range: Range): boolean => isEmpty(text) || isWithin(text, range);

/** Nothing typed is no limit. */
export const numberOrNull = (text: string): number | null => (isEmpty(text) ? null : Number(text));

/** 9, 930, 9:30 and 0930 are times too. */
export const clockOf = (typed: string): string => {
  const text = typed.trim().replace(/[：.]/g, ':');
  const found = /^(\d{1,2}):?(\d{2})?$/.exec(text);
  if (found === null) return text;
  return `${(found[1] as string).padStart(2, '0')}:${found[2] ?? '00'}`;
};
