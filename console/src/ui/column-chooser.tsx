import { useState } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';
import './menu.css';
import { remember, remembered } from './preferences.ts';

export type ShownColumns = { has: (name: string) => boolean; turn: (name: string) => void };

/** Which columns the reader wants to see of the list `key`, kept on this device. */
export const useColumns = (key: string, usual: readonly string[]): ShownColumns => {
  const kept = remembered(`console.columns.${key}`);
  const [shown, setShown] = useState<readonly string[]>(kept === undefined ? usual : kept.split('\n'));
  return {
    has: (name) => shown.includes(name),
    turn: (name) => {
      const next = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
      remember(`console.columns.${key}`, next.join('\n'));
      setShown(next);
    },
  };
};

type Props = { choices: readonly { name: string; title: string }[]; shown: ShownColumns };

export const ColumnChooser = ({ choices, shown }: Props) => {
  const t = useWords();
  const [open, setOpen] = useState(false);
  return (
    <details
      class="menu"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <summary class="button row">{t.common.columns}</summary>
      {open && (
        <fieldset class="menu-list popup stack from-left" aria-label={t.common.columns}>
          {choices.map(({ name, title }) => (
            <label key={name} class="row">
              <input type="checkbox" checked={shown.has(name)} onChange={() => shown.turn(name)} />
              <bdi>{title}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </details>
  );
};
