import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWords } from '../../i18n/i18n.ts';
import { IconButton } from '../actions/button.tsx';
import css from './field.module.css';

type Props = Omit<JSX.IntrinsicElements['input'], 'value' | 'onInput' | 'ref' | 'min' | 'max' | 'class'> & {
  /** `YYYY-MM-DD`, or empty. */
  value: string;
  min?: string;
  max?: string;
  onDate: (date: string) => void;
};

/** 2026/6/2, 2026.6.2 and 20260602 are dates too; empty for anything that is no day. */
export const dateIn = (typed: string): string => {
  const [, year, month = '', day = ''] =
    /^(\d{4})[-/.年]?(\d{1,2})[-/.月]?(\d{1,2})日?$/.exec(typed.trim()) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = Date.parse(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date);
  return isDay ? date : '';
};

/** A date in one way of writing for every reader, with the calendar of the browser behind a button. */
export const DateField = ({ value, min, max, onDate, ...rest }: Props) => {
  const t = useWords();
  const [typed, setTyped] = useState(value);
  const calendar = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (dateIn(typed) !== value) setTyped(value);
  }, [value]);
  const put = (next: string) => {
    setTyped(next);
    const date = dateIn(next);
    if ((date !== '' || next.trim() === '') && date !== value) onDate(date);
  };
  return (
    <span class={css.date}>
      <input
        {...rest}
        inputMode="numeric"
        autocomplete="off"
        placeholder="YYYY-MM-DD"
        value={typed}
        onInput={(event) => put(event.currentTarget.value)}
        onBlur={() => setTyped(value)}
      />
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        min={min}
        max={max}
        onChange={(event) => put(event.currentTarget.value)}
      />
      <IconButton
        icon="calendar"
        tabIndex={-1}
        label={t.form.calendar}
        disabled={rest.disabled}
        onClick={() => calendar.current?.showPicker()}
      />
    </span>
  );
};
