import { useId } from 'preact/hooks';
import { numberText } from '../i18n/format.ts';
import './toggle.css';
import './tabs.css';

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
    <div class="toggle row" role="radiogroup" aria-label={label}>
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
