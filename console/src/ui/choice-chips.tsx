import './choice-chips.css';

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
    <div class="chips row wrap">
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
