import { dateInZone, dayText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Tags } from '../../ui/fields/rows-field.tsx';
import css from './date-controls.module.css';
import { allDays, type DaysOff, rangesOf } from './days.ts';
import { type ControlProps, clockOf } from './setting.ts';

const rangeText = (days: readonly string[]) =>
  [...new Set([days[0], days.at(-1)])].map((day) => dayText(String(day))).join(' – ');

/** Single days and whole weeks; days that follow each other are one entry. */
export const DaysOffControl = ({ label, error, value, onValue, zone }: ControlProps<DaysOff>) => {
  const t = useWords();
  const { days, first, last } = value;
  const ranges = rangesOf(days);
  const today = dateInZone(Date.now(), zone);
  const add = () => onValue({ days: allDays(value), first: '', last: '' });
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter would send the form.
    event.preventDefault();
    add();
  };
  return (
    <Field label={label} error={error}>
      {(tied) => (
        <>
          <Tags
            tags={ranges.map((range) => ({ id: String(range[0]), label: rangeText(range) }))}
            onRemove={(start) => {
              const removed = ranges.find(([day]) => day === start);
              onValue({ ...value, days: days.filter((day) => !removed?.includes(day)) });
            }}
          />
          <div class={`pair row wrap ${css.dates}`}>
            <input
              {...tied}
              type="date"
              min={today}
              value={first}
              onInput={(event) => onValue({ ...value, first: event.currentTarget.value })}
              onKeyDown={addOnEnter}
            />
            <span>–</span>
            <input
              type="date"
              aria-label={t.form.lastDay}
              min={first || today}
              value={last}
              disabled={first === ''}
              onInput={(event) => onValue({ ...value, last: event.currentTarget.value })}
              onKeyDown={addOnEnter}
            />
            <Button onClick={add} disabled={first === ''} label={t.common.add} />
          </div>
        </>
      )}
    </Field>
  );
};

/** A date and a time of 24 hours: a browser's own field for both may show 12. `usual`: the time that is proposed. */
export const momentControl =
  (usual: string) =>
  ({ label, error, value, onValue }: ControlProps<string>) => {
    const t = useWords();
    const [date = '', clock = usual] = value.split(' ');
    const put = (day: string, time: string) => onValue(day === '' ? '' : `${day} ${time}`);
    return (
      <Field label={label} error={error}>
        {(tied) => (
          <div class={`pair row ${css.dates}`}>
            <input
              {...tied}
              type="date"
              value={date}
              onInput={(event) => put(event.currentTarget.value, clock)}
            />
            <input
              aria-label={`${label}: ${t.imports.time}`}
              inputMode="numeric"
              placeholder={usual}
              value={date === '' ? '' : clock}
              disabled={date === ''}
              aria-invalid={error !== undefined}
              onInput={(event) => put(date, event.currentTarget.value)}
              onBlur={(event) => put(date, clockOf(event.currentTarget.value))}
            />
          </div>
        )}
      </Field>
    );
  };
