import { useState } from 'preact/hooks';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { weekdayText } from '../i18n/format.ts';
import { language, useWords } from '../i18n/i18n.ts';
import { ChoiceChips } from '../ui/fields/choices.tsx';
import { Combobox } from '../ui/fields/combobox.tsx';
import { Field, Group } from '../ui/fields/field.tsx';
import { RowsField } from '../ui/fields/rows-field.tsx';
import { Dates, DaysOff } from './date-fields.tsx';
import { everyDay } from './draft/task-draft.ts';
import { clockOf } from './draft/task-faults.ts';
import { zonesLike } from './draft/zones.ts';
import { type FieldsProps, SettingField } from './setting-field.tsx';

export const Weekdays = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  return (
    <Group label={t.form.settings.weekdays} error={faults.weekdays}>
      <ChoiceChips
        choices={everyDay.map((day) => ({
          value: day,
          label: weekdayText(day),
          title: weekdayText(day, 'long'),
        }))}
        chosen={draft.weekdays}
        invalid={faults.weekdays !== undefined}
        onChosen={(weekdays) => onChange({ weekdays })}
      />
    </Group>
  );
};

export const Breaks = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const { breaks, dailyStartTime, dailyEndTime } = t.form.settings;
  return (
    <RowsField
      label={breaks}
      error={faults.breaks}
      rows={draft.breaks}
      onRows={(rows) => onChange({ breaks: rows })}
      atMost={taskSettings.breaks.maxItems}
      fresh={{ label: t.form.addBreak, row: { start: '12:00', end: '13:30' } }}
    >
      {(each, put, i) =>
        (['start', 'end'] as const).map((part) => (
          <input
            key={part}
            aria-label={`${breaks} ${i + 1}: ${part === 'start' ? dailyStartTime : dailyEndTime}`}
            inputMode="numeric"
            value={each[part]}
            aria-invalid={faults.breaks !== undefined}
            onInput={(event) => put({ [part]: event.currentTarget.value })}
            onBlur={(event) => put({ [part]: clockOf(event.currentTarget.value) })}
          />
        ))
      }
    </RowsField>
  );
};

const ZoneField = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const [typed, setTyped] = useState('');
  return (
    <Field label={t.form.settings.timeZone} error={faults.timeZone}>
      {(tied) => (
        <Combobox
          {...tied}
          placeholder={t.form.pickZone}
          value={draft.timeZone.replaceAll('_', ' ')}
          choices={() => zonesLike(typed, language.get())}
          none={t.form.noZone}
          onType={setTyped}
          onChoose={({ id: timeZone }) => onChange({ timeZone })}
        />
      )}
    </Field>
  );
};

/** Hours, zone, weekdays, breaks, days off and dates. */
export const ScheduleFields = (props: FieldsProps) => (
  <>
    <div class="grid">
      {(['dailyStartTime', 'dailyEndTime'] as const).map((name) => (
        <SettingField
          key={name}
          of={props}
          name={name}
          inputMode="numeric"
          onBlur={(event) => props.onChange({ [name]: clockOf(event.currentTarget.value) })}
        />
      ))}
      <ZoneField {...props} />
    </div>
    <Weekdays {...props} />
    <div class="grid two">
      <Breaks {...props} />
      <DaysOff {...props} />
    </div>
    <Dates {...props} />
  </>
);
