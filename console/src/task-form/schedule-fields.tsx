import { useState } from 'preact/hooks';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { weekdayText } from '../i18n/format.ts';
import { language, useWords } from '../i18n/i18n.ts';
import { ChoiceChips } from '../ui/choice-chips.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Field, Group, TextField } from '../ui/field.tsx';
import { RowsField } from '../ui/rows-field.tsx';
import { DaysOff } from './days-off.tsx';
import { Dates } from './limit-fields.tsx';
import { bound, everyDay, type FieldsProps } from './task-draft.ts';
import { clockOf } from './task-faults.ts';
import { zonesLike } from './zones.ts';

export const Weekdays = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const turn = (day: number) =>
    onChange({
      weekdays: everyDay.filter((each) => (each === day) !== draft.weekdays.includes(each)),
    });
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
        onTurn={turn}
      />
    </Group>
  );
};

export const Breaks = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  return (
    <RowsField
      label={t.form.settings.breaks}
      error={faults.breaks}
      rows={draft.breaks}
      onRows={(breaks) => onChange({ breaks })}
      atMost={taskSettings.breaks.maxItems}
      fresh={{ label: t.form.addBreak, row: { start: '12:00', end: '13:30' } }}
    >
      {(each, put, i) =>
        (['start', 'end'] as const).map((part) => (
          <input
            key={part}
            aria-label={`${t.form.settings.breaks} ${i + 1}: ${part === 'start' ? t.form.settings.dailyStartTime : t.form.settings.dailyEndTime}`}
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
      {(ids) => (
        <Combobox
          {...ids}
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
export const ScheduleFields = (props: FieldsProps) => {
  const t = useWords();
  const { onChange } = props;
  return (
    <>
      <div class="grid">
        {(['dailyStartTime', 'dailyEndTime'] as const).map((name) => (
          <TextField
            key={name}
            label={name === 'dailyStartTime' ? t.form.settings.dailyStartTime : t.form.settings.dailyEndTime}
            inputMode="numeric"
            {...bound(props, name)}
            onBlur={(event) => onChange({ [name]: clockOf(event.currentTarget.value) })}
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
};
