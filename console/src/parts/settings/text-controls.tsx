import type { ComponentProps } from 'preact';
import { useWords } from '../../i18n/i18n.ts';
import { Group, TextField } from '../../ui/fields/field.tsx';
import { type ControlProps, clockOf } from './setting.ts';

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
