import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { priority } from '../../../shared/domain/forms.ts';
import { useWords } from '../i18n/i18n.ts';
import './field.css';
import './select.css';
import { Refused } from './refused.tsx';

type Labelled = { label: string; error?: string | undefined; hint?: string | undefined };
type FieldProps = Labelled & {
  children: (ids: { id: string; describedBy: string | undefined; invalid: boolean }) => ComponentChildren;
};

/** A label above and the fault below, both tied to the control for screen readers. */
export const Field = ({ label, error, hint, children }: FieldProps) => {
  const id = useId();
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div class="field stack">
      <label for={id}>{label}</label>
      {children({ id, describedBy, invalid: error !== undefined })}
      {error ? (
        <p class="refused" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <p class="sub" id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
};

/** Several controls under one name. */
export const Group = ({ label, error, hint, children }: Labelled & { children: ComponentChildren }) => (
  <fieldset class="field stack">
    <legend class="label">{label}</legend>
    {hint && <p class="sub">{hint}</p>}
    {children}
    <Refused words={error} />
  </fieldset>
);

type TextProps = Labelled & { value: string; onValue: (value: string) => void } & Omit<
    JSX.IntrinsicElements['input'],
    'label' | 'value' | 'onInput' | 'ref'
  >;

export const TextField = ({ label, value, onValue, error, hint, ...rest }: TextProps) => (
  <Field label={label} error={error} hint={hint}>
    {({ id, describedBy, invalid }) => (
      <input
        autocomplete="off"
        dir="auto"
        id={id}
        value={value}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        {...rest}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
);

type Options = {
  value: string;
  options: readonly { value: string; label: string }[];
  onValue: (value: string) => void;
};
type SelectProps = Options & { label?: string } & Omit<JSX.IntrinsicElements['select'], 'label' | 'ref'>;

/** A select whose label is not shown on the page. */
export const Select = ({ label, value, options, onValue, ...rest }: SelectProps) => (
  <select {...rest} aria-label={label} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);

type SelectFieldProps = Options & Labelled;

export const SelectField = ({ label, error, hint, ...rest }: SelectFieldProps) => (
  <Field label={label} error={error} hint={hint}>
    {({ id, describedBy, invalid }) => (
      <Select {...rest} id={id} aria-invalid={invalid} aria-describedby={describedBy} />
    )}
  </Field>
);

const priorities = Array.from({ length: priority.maximum }, (_, i) => String(priority.minimum + i));

export const PrioritySelect = (props: Omit<SelectFieldProps, 'options' | 'hint'>) => (
  <SelectField
    {...props}
    options={priorities.map((value) => ({ value, label: value }))}
    hint={useWords().form.priorityHint}
  />
);
