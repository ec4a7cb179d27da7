import { dateInZone, dayText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/actions/button.tsx';
import { Field, Group } from '../ui/fields/field.tsx';
import { Tags } from '../ui/fields/rows-field.tsx';
import { rangesOf } from './draft/days.ts';
import { daysOffOf } from './draft/task-draft.ts';
import { clockOf } from './draft/task-faults.ts';
import { type FieldsProps, useSetting } from './setting-field.tsx';
import './task-form.css';

const rangeText = (days: readonly string[]) =>
  [...new Set([days[0], days.at(-1)])].map((day) => dayText(String(day))).join(' – ');

/** Single days and whole weeks; days that follow each other are one entry. */
export const DaysOff = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const { dayOff = '', dayOffEnd = '', excludedDates } = draft;
  const ranges = rangesOf(excludedDates);
  const today = dateInZone(Date.now(), draft.timeZone);
  const add = () => onChange({ excludedDates: daysOffOf(draft), dayOff: '', dayOffEnd: '' });
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter would send the form.
    event.preventDefault();
    add();
  };
  return (
    <Field label={t.form.settings.excludedDates} error={faults.excludedDates}>
      {(tied) => (
        <>
          <Tags
            tags={ranges.map((days) => ({ id: String(days[0]), label: rangeText(days) }))}
            onRemove={(first) => {
              const removed = ranges.find(([day]) => day === first);
              onChange({ excludedDates: excludedDates.filter((day) => !removed?.includes(day)) });
            }}
          />
          <div class="pair row wrap dates">
            <input
              {...tied}
              type="date"
              min={today}
              value={dayOff}
              onInput={(event) => onChange({ dayOff: event.currentTarget.value })}
              onKeyDown={addOnEnter}
            />
            <span>–</span>
            <input
              type="date"
              aria-label={t.form.lastDay}
              min={dayOff || today}
              value={dayOffEnd}
              disabled={dayOff === ''}
              onInput={(event) => onChange({ dayOffEnd: event.currentTarget.value })}
              onKeyDown={addOnEnter}
            />
            <Button onClick={add} disabled={dayOff === ''} label={t.common.add} />
          </div>
        </>
      )}
    </Field>
  );
};

/** The time that is proposed with a date. */
const usualClock = { callFrom: '00:00', callUntil: '23:59' } as const;

type MomentProps = FieldsProps & { name: keyof typeof usualClock };

/** A date and a time of 24 hours: a browser's own field for both may show 12. */
const MomentField = ({ name, ...props }: MomentProps) => {
  const t = useWords();
  const { label, value, error, onValue } = useSetting(props, name);
  const [date = '', clock = usualClock[name]] = value.split(' ');
  const put = (day: string, time: string) => onValue(day === '' ? '' : `${day} ${time}`);
  return (
    <Field label={label} error={error}>
      {(tied) => (
        <div class="pair row dates">
          <input
            {...tied}
            type="date"
            value={date}
            onInput={(event) => put(event.currentTarget.value, clock)}
          />
          <input
            aria-label={`${label}: ${t.imports.time}`}
            inputMode="numeric"
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

/** From when and until when the task calls. */
export const Dates = (props: FieldsProps) => {
  const t = useWords();
  return (
    <Group label={t.form.dates} hint={t.form.datesHint(props.draft.timeZone)}>
      <div class="grid two">
        <MomentField {...props} name="callFrom" />
        <MomentField {...props} name="callUntil" />
      </div>
    </Group>
  );
};
