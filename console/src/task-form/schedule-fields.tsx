import { dayText, weekdayText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field, SelectField, TextField } from '../ui/field.tsx';
import { clockOf, daysOffOf, everyDay, type TaskDraft } from './task-draft.ts';

type Props = {
  draft: TaskDraft;
  faults: Record<string, string>;
  onChange: (next: Partial<TaskDraft>) => void;
};

const zones = (chosen: string) => {
  const known = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])];
  return known.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
};

const Weekdays = ({ draft, faults, onChange }: Props) => {
  const t = useWords();
  const turn = (day: number) =>
    onChange({
      weekdays: everyDay.filter((each) => (each === day) !== draft.weekdays.includes(each)),
    });
  return (
    <fieldset class="field">
      <legend class="label">{t.form.weekdays}</legend>
      <div class="days">
        {everyDay.map((day) => (
          <label key={day} class={draft.weekdays.includes(day) ? 'on' : ''} title={weekdayText(day, 'long')}>
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
        <p class="field-error" role="alert">
          {faults.weekdays}
        </p>
      )}
    </fieldset>
  );
};

const Breaks = ({ draft, faults, onChange }: Props) => {
  const t = useWords();
  const put = (at: number, part: Partial<{ start: string; end: string }>) =>
    onChange({ breaks: draft.breaks.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  return (
    <fieldset class="field">
      <legend class="label">{t.form.breaks}</legend>
      {draft.breaks.map((each, i) => (
        <div key={i} class="pair">
          {(['start', 'end'] as const).map((part) => (
            <input
              key={part}
              class="clock"
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
        <p class="field-error" role="alert">
          {faults.breaks}
        </p>
      )}
      {draft.breaks.length < 4 && (
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => onChange({ breaks: [...draft.breaks, { start: '12:00', end: '13:30' }] })}
        >
          {t.form.addBreak}
        </Button>
      )}
    </fieldset>
  );
};

const DaysOff = ({ draft, faults, onChange }: Props) => {
  const t = useWords();
  const day = draft.dayOff ?? '';
  const add = () => onChange({ excludedDates: daysOffOf(draft), dayOff: '' });
  return (
    <Field label={t.form.daysOff} error={faults.excludedDates}>
      {({ id, describedBy, invalid }) => (
        <>
          {draft.excludedDates.length > 0 && (
            <ul class="tags">
              {draft.excludedDates.map((date) => (
                <li key={date} class="tag">
                  {dayText(date)}
                  <IconButton
                    label={`${t.common.remove} ${dayText(date)}`}
                    icon="cross"
                    onClick={() =>
                      onChange({ excludedDates: draft.excludedDates.filter((each) => each !== date) })
                    }
                  />
                </li>
              ))}
            </ul>
          )}
          <div class="pair">
            <input
              id={id}
              type="date"
              value={day}
              aria-invalid={invalid}
              aria-describedby={describedBy}
              onInput={(event) => onChange({ dayOff: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // Enter would send the form.
                event.preventDefault();
                add();
              }}
            />
            <Button onClick={add} disabled={day === ''}>
              {t.form.addDay}
            </Button>
          </div>
        </>
      )}
    </Field>
  );
};

/** Hours, zone, weekdays, breaks and days off. */
export const ScheduleFields = (props: Props) => {
  const t = useWords();
  const { draft, faults, onChange } = props;
  return (
    <>
      <div class="grid">
        <TextField
          label={t.form.from}
          value={draft.dailyStartTime}
          inputMode="numeric"
          error={faults.dailyStartTime}
          onValue={(dailyStartTime) => onChange({ dailyStartTime })}
          onBlur={(event) => onChange({ dailyStartTime: clockOf(event.currentTarget.value) })}
        />
        <TextField
          label={t.form.to}
          value={draft.dailyEndTime}
          inputMode="numeric"
          error={faults.dailyEndTime}
          onValue={(dailyEndTime) => onChange({ dailyEndTime })}
          onBlur={(event) => onChange({ dailyEndTime: clockOf(event.currentTarget.value) })}
        />
        <SelectField
          label={t.form.timeZone}
          value={draft.timeZone}
          options={zones(draft.timeZone)}
          error={faults.timeZone}
          onValue={(timeZone) => onChange({ timeZone })}
        />
      </div>
      <Weekdays {...props} />
      <div class="grid two">
        <Breaks {...props} />
        <DaysOff {...props} />
      </div>
    </>
  );
};
