import { useId } from 'preact/hooks';
import { numberText } from '../../i18n/format.ts';
import css from './choices.module.css';

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
