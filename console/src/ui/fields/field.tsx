import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { priority } from '../../../../shared/platform/rules/names.ts';
import { numberText, useWords } from '../../i18n/i18n.ts';
import { Icon, Refused } from '../actions/button.tsx';
import css from './field.module.css';

type ToggleProps<V extends string> = {
  label: string;
  value: V;
  options: readonly { value: V; label: string; count?: number | undefined }[];
  onValue: (value: V) => void;
};

/** A choice of two or three: radio buttons that look like a switch. */
export const Toggle = <V extends string>({ label, value, options, onValue }: ToggleProps<V>) => {
  const name = useId();
  return (
    <div class={`${css.toggle} row`} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? 'cover on' : 'cover'}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          {option.label}
          {option.count !== undefined && <span class="tab-count">{numberText(option.count)}</span>}
        </label>
      ))}
    </div>
  );
};

type Props<V extends string | number> = {
  choices: readonly { value: V; label: string; title?: string }[];
  chosen: readonly V[];
  onChosen: (values: V[]) => void;
  invalid?: boolean;
};

/** Any number of a few choices: checkboxes that look like chips. */
export const ChoiceChips = <V extends string | number>({ choices, chosen, onChosen, invalid }: Props<V>) => {
  const turn = (turned: V) =>
    onChosen(
      choices.map(({ value }) => value).filter((value) => (value === turned) !== chosen.includes(value)),
    );
  return (
    <div class={`${css.chips} row wrap`}>
      {choices.map(({ value, label, title }) => (
        <label key={value} class={chosen.includes(value) ? 'cover on' : 'cover'} title={title}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => turn(value)}
            aria-invalid={invalid ?? false}
          />
          {label}
        </label>
      ))}
    </div>
  );
};

export type Labelled = { label: string; error?: string | undefined; hint?: string | undefined };
/** What ties a control to its label, and to the fault or the hint below it. */
export type Tied = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean };
type FieldProps = Labelled & { children: (tied: Tied) => ComponentChildren };

/** A label above and the fault below, both tied to the control for screen readers. */
export const Field = ({ label, error, hint, children }: FieldProps) => {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div class={`${css.field} stack`}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': (error ?? hint) && noteId, 'aria-invalid': error !== undefined })}
      <Refused words={error} id={noteId} />
      {error === undefined && hint && (
        <p class="sub" id={noteId}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** Several controls under one name. */
export const Group = ({ label, error, hint, children }: Labelled & { children: ComponentChildren }) => (
  <fieldset class={`${css.field} stack`}>
    <legend class={css.label}>{label}</legend>
    {hint && <p class="sub">{hint}</p>}
    {children}
    <Refused words={error} />
  </fieldset>
);

type Typed = { value: string; onValue: (value: string) => void } & Omit<
  JSX.IntrinsicElements['input'],
  'label' | 'value' | 'onInput' | 'ref'
>;

export const TextField = ({ label, value, onValue, error, hint, ...rest }: Labelled & Typed) => (
  <Field label={label} error={error} hint={hint}>
    {(tied) => (
      <input
        autocomplete="off"
        dir="auto"
        {...tied}
        value={value}
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
    {(tied) => <Select {...rest} {...tied} />}
  </Field>
);

const priorities = Array.from({ length: priority.maximum }, (_, i) => String(priority.minimum + i));

export const PrioritySelect = (props: Omit<SelectFieldProps, 'options' | 'hint'>) => (
  <SelectField
    {...props}
    options={priorities.map((value) => ({ value, label: value }))}
    hint={useWords().setting.priority.hint}
  />
);

const pauseMs = 300;

export const SearchInput = ({ label, onValue, children, ...rest }: Typed & { label: string }) => (
  <div class={css.search}>
    <Icon name="search" />
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      dir="auto"
      {...rest}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
    {children}
  </div>
);

type SearchBoxProps = {
  label: string;
  value: string;
  onSearch: (value: string) => void;
  inputMode?: 'search' | 'tel';
};

/** Searches once the reader stops typing. The key `f` goes here. */
export const SearchBox = ({ label, value, onSearch, inputMode = 'search' }: SearchBoxProps) => {
  const [typed, type] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // Back and forward change the address under the field.
    if (value !== sent.current) {
      sent.current = value;
      type(value);
    }
  }, [value]);
  useEffect(() => {
    if (typed.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed.trim();
      onSearch(typed.trim());
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return <SearchInput label={label} inputMode={inputMode} value={typed} onValue={type} data-search />;
};
