import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { ClockRange } from '../../../../shared/platform/time/schedule.ts';
import { taskSettings } from '../../../../shared/tasks/rules/task-settings.ts';
import { dateInZone, dayText, language, useWords, weekdayText } from '../../i18n/i18n.ts';
import { capital } from '../../i18n/phrases.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Combobox } from '../../ui/fields/combobox.tsx';
import { DateField } from '../../ui/fields/date-field.tsx';
import { ChoiceChips, Field, Group, Select, TextField } from '../../ui/fields/field.tsx';
import { RowsField, Tags } from '../../ui/fields/rows-field.tsx';
import { weekdayWords } from '../tasks/task-words.ts';
import css from './controls.module.css';
import { allDays, type DaysOff, rangesOf } from './days.ts';
import { type ControlProps, clockOf } from './setting.ts';
import { zonesLike } from './zones.ts';

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
            <DateField
              {...tied}
              min={today}
              value={first}
              onDate={(day) => onValue({ ...value, first: day })}
              onKeyDown={addOnEnter}
            />
            <span>–</span>
            <DateField
              aria-label={t.form.lastDay}
              min={first || today}
              value={last}
              disabled={first === ''}
              onDate={(day) => onValue({ ...value, last: day })}
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
            <DateField {...tied} value={date} onDate={(day) => put(day, clock)} />
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

type Typed = ControlProps<string>;

/** `data-first`: the focus begins here. */
type Attributes = Partial<ComponentProps<typeof TextField>> & { 'data-first'?: true };

/** A field to type in, with these attributes. */
export const textControl =
  (attributes: Attributes = {}) =>
  ({ label, error, hint, value, onValue }: Typed) => (
    <TextField {...{ label, error, hint, value, onValue }} {...attributes} />
  );

export const NumberControl = textControl({ inputMode: 'numeric' });

/** A time of day, made whole when the reader leaves the field. */
export const ClockControl = ({ label, error, hint, value, onValue }: Typed) => (
  <TextField
    {...{ label, error, hint, value, onValue }}
    inputMode="numeric"
    onBlur={(event) => onValue(clockOf(event.currentTarget.value))}
  />
);

export const LimitControl = ({ label, error, hint, value, onValue }: Typed) => (
  <TextField
    {...{ label, error, hint, value, onValue }}
    inputMode="numeric"
    placeholder={useWords().form.noLimit}
  />
);

export type Brake = { failedPercent: string; calls: string };

/** How many percent of how many calls. */
export const BrakeControl = ({ label, error, hint, value, onValue }: ControlProps<Brake>) => {
  const t = useWords();
  const labels = { failedPercent: t.form.failedPercent, calls: t.form.failedCalls };
  return (
    <Group label={label} error={error} hint={hint}>
      <div class="grid two">
        {(['failedPercent', 'calls'] as const).map((part) => (
          <TextField
            key={part}
            label={labels[part]}
            value={value[part]}
            onValue={(text) => onValue({ ...value, [part]: text })}
            inputMode="numeric"
            aria-invalid={error !== undefined}
          />
        ))}
      </div>
    </Group>
  );
};

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** Weeks that most tasks have. */
const usualWeeks = [everyDay.slice(0, 5), everyDay.slice(0, 6), everyDay];

/** One of the usual weeks, or days of the reader's choice. */
export const WeekdaysControl = ({ label, error, value, onValue }: ControlProps<number[]>) => {
  const t = useWords();
  const [isOwn, setOwn] = useState(false);
  const usual = usualWeeks.find((week) => week.join() === value.join());
  const isChosen = isOwn || usual === undefined;
  return (
    <Group label={label} error={error}>
      <Select
        class="filter"
        label={label}
        value={isChosen ? '' : value.join()}
        options={[
          ...usualWeeks.map((week) => ({ value: week.join(), label: capital(weekdayWords(week, t)) })),
          { value: '', label: t.form.otherDays },
        ]}
        onValue={(week) => {
          setOwn(week === '');
          if (week !== '') onValue(week.split(',').map(Number));
        }}
      />
      {isChosen && (
        <ChoiceChips
          choices={everyDay.map((day) => ({
            value: day,
            label: weekdayText(day),
            title: weekdayText(day, 'long'),
          }))}
          chosen={value}
          invalid={error !== undefined}
          onChosen={onValue}
        />
      )}
    </Group>
  );
};

export const BreaksControl = ({ label, error, value, onValue }: ControlProps<ClockRange[]>) => {
  const t = useWords();
  const ends = { start: t.setting.dailyStartTime.label, end: t.setting.dailyEndTime.label };
  return (
    <RowsField
      label={label}
      error={error}
      rows={value}
      onRows={onValue}
      atMost={taskSettings.breaks.maxItems}
      fresh={{ label: t.form.addBreak, row: { start: '12:00', end: '13:30' } }}
    >
      {(each, put, i) =>
        (['start', 'end'] as const).map((part) => (
          <input
            key={part}
            aria-label={`${label} ${i + 1}: ${ends[part]}`}
            inputMode="numeric"
            value={each[part]}
            aria-invalid={error !== undefined}
            onInput={(event) => put({ [part]: event.currentTarget.value })}
            onBlur={(event) => put({ [part]: clockOf(event.currentTarget.value) })}
          />
        ))
      }
    </RowsField>
  );
};

export const ZoneControl = ({ label, error, value, onValue }: ControlProps<string>) => {
  const t = useWords();
  const [typed, setTyped] = useState('');
  return (
    <Field label={label} error={error}>
      {(tied) => (
        <Combobox
          {...tied}
          placeholder={t.form.pickZone}
          value={value.replaceAll('_', ' ')}
          choices={() => zonesLike(typed, language.get())}
          none={t.form.noZone}
          onType={setTyped}
          onChoose={({ id }) => onValue(id)}
        />
      )}
    </Field>
  );
};
