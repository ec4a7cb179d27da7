import './choice-chips.css';

type Props<V extends string | number> = {
  choices: readonly { value: V; label: string; title?: string }[];
  chosen: readonly V[];
  onTurn: (value: V) => void;
  invalid?: boolean;
};

/** Any number of a few choices: checkboxes that look like chips. */
export const ChoiceChips = <V extends string | number>({ choices, chosen, onTurn, invalid }: Props<V>) => (
  <div class="chips row wrap">
    {choices.map(({ value, label, title }) => (
      <label key={value} class={chosen.includes(value) ? 'cover on' : 'cover'} title={title}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={() => onTurn(value)}
          aria-invalid={invalid ?? false}
        />
        {label}
      </label>
    ))}
  </div>
);
