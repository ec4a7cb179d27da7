import { useState } from 'preact/hooks';
import type { ClockRange } from '../../../../shared/platform/time/index.ts';
import { taskSettings } from '../../../../shared/tasks/rules.ts';
import { weekdayText } from '../../i18n/format.ts';
import { language, useWords } from '../../i18n/i18n.ts';
import { ChoiceChips } from '../../ui/fields/choices.tsx';
import { Combobox } from '../../ui/fields/combobox.tsx';
import { Field, Group } from '../../ui/fields/field.tsx';
import { RowsField } from '../../ui/fields/rows-field.tsx';
import { type ControlProps, clockOf } from './setting.ts';
import { zonesLike } from './zones.ts';

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

export const WeekdaysControl = ({ label, error, value, onValue }: ControlProps<number[]>) => (
  <Group label={label} error={error}>
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
  </Group>
);

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
