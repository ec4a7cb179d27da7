import { useWords } from '../i18n/i18n.ts';
import { Field, Group, TextField } from '../ui/field.tsx';
import { bound, type FieldsProps } from './task-draft.ts';
import { clockOf } from './task-faults.ts';

/** The time that is proposed with a date. */
const usualClock = { callFrom: '00:00', callUntil: '23:59' } as const;

type MomentProps = FieldsProps & { name: keyof typeof usualClock };

/** A date and a time of 24 hours: a browser's own field for both may show 12. */
const MomentField = ({ name, ...props }: MomentProps) => {
  const t = useWords();
  const label = t.form.settings[name];
  const { value, error, onValue } = bound(props, name);
  const [date = '', clock = usualClock[name]] = value.split(' ');
  const put = (day: string, time: string) => onValue(day === '' ? '' : `${day} ${time}`);
  return (
    <Field label={label} error={error}>
      {({ id, describedBy, invalid }) => (
        <div class="pair row dates">
          <input
            id={id}
            type="date"
            value={date}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            onInput={(event) => put(event.currentTarget.value, clock)}
          />
          <input
            aria-label={`${label}: ${t.imports.time}`}
            inputMode="numeric"
            value={date === '' ? '' : clock}
            disabled={date === ''}
            aria-invalid={invalid}
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

/** How many calls at most, and when the task pauses itself. */
export const Limits = (props: FieldsProps) => {
  const t = useWords();
  return (
    <>
      <div class="grid two">
        {(['maxConcurrentCalls', 'callsPerMinute'] as const).map((name) => (
          <TextField
            key={name}
            label={t.form.settings[name]}
            inputMode="numeric"
            placeholder={t.form.noLimit}
            {...bound(props, name)}
          />
        ))}
      </div>
      <Group label={t.form.settings.pauseWhen} error={props.faults.pauseWhen} hint={t.form.brakeHint}>
        <div class="grid two">
          {(['failedPercent', 'failedCalls'] as const).map((name) => (
            <TextField
              key={name}
              label={t.form[name]}
              inputMode="numeric"
              {...bound(props, name)}
              aria-invalid={props.faults.pauseWhen !== undefined}
            />
          ))}
        </div>
      </Group>
    </>
  );
};
