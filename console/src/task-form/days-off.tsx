import { dateInZone, dayText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Tags } from '../ui/tags.tsx';
import { rangesOf } from './days.ts';
import { daysOffOf, type FieldsProps } from './task-draft.ts';

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
      {({ id, describedBy, invalid }) => (
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
              id={id}
              type="date"
              min={today}
              value={dayOff}
              aria-invalid={invalid}
              aria-describedby={describedBy}
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
