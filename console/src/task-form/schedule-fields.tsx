import { useState } from 'preact/hooks';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { weekdayText } from '../i18n/format.ts';
import { language, useWords } from '../i18n/i18n.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { DaysOff } from './days-off.tsx';
import { bound, clockOf, everyDay, type FieldsProps } from './task-draft.ts';
import { zonesLike } from './zones.ts';

const Weekdays = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const turn = (day: number) =>
    onChange({
      weekdays: everyDay.filter((each) => (each === day) !== draft.weekdays.includes(each)),
    });
  return (
    <fieldset class="field stack">
      <legend class="label">{t.form.weekdays}</legend>
      <div class="days row wrap">
        {everyDay.map((day) => (
          <label
            key={day}
            class={draft.weekdays.includes(day) ? 'cover on' : 'cover'}
            title={weekdayText(day, 'long')}
          >
            <input
              type="checkbox"
              checked={draft.weekdays.includes(day)}
              aria-invalid={faults.weekdays !== undefined}
              onChange={() => turn(day)}
            />
            {weekdayText(day)}
          </label>
        ))}
      </div>
      {faults.weekdays && (
        <p class="refused" role="alert">
          {faults.weekdays}
        </p>
      )}
    </fieldset>
  );
};

const Breaks = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const put = (at: number, part: Partial<{ start: string; end: string }>) =>
    onChange({ breaks: draft.breaks.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  return (
    <fieldset class="field stack">
      <legend class="label">{t.form.breaks}</legend>
      {draft.breaks.map((each, i) => (
        <div key={i} class="pair row">
          {(['start', 'end'] as const).map((part) => (
            <input
              key={part}
              aria-label={`${t.form.breaks} ${i + 1}: ${part === 'start' ? t.form.from : t.form.to}`}
              inputMode="numeric"
              value={each[part]}
              aria-invalid={faults.breaks !== undefined}
              onInput={(event) => put(i, { [part]: event.currentTarget.value })}
              onBlur={(event) => put(i, { [part]: clockOf(event.currentTarget.value) })}
            />
          ))}
          <IconButton
            label={t.common.remove}
            icon="cross"
            onClick={() => onChange({ breaks: draft.breaks.filter((_, at) => at !== i) })}
          />
        </div>
      ))}
      {faults.breaks && (
        <p class="refused" role="alert">
          {faults.breaks}
        </p>
      )}
      {draft.breaks.length < taskSettings.breaks.maxItems && (
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => onChange({ breaks: [...draft.breaks, { start: '12:00', end: '13:30' }] })}
          label={t.form.addBreak}
        />
      )}
    </fieldset>
  );
};

const ZoneField = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const [typed, setTyped] = useState('');
  return (
    <Field label={t.form.timeZone} error={faults.timeZone}>
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

/** Hours, zone, weekdays, breaks and days off. */
export const ScheduleFields = (props: FieldsProps) => {
  const t = useWords();
  const { onChange } = props;
  return (
    <>
      <div class="grid">
        {(['dailyStartTime', 'dailyEndTime'] as const).map((name) => (
          <TextField
            key={name}
            label={name === 'dailyStartTime' ? t.form.from : t.form.to}
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
    </>
  );
};
