import { useState } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';
import './menu.css';
import { remember, remembered } from './preferences.ts';
import type { Column } from './table.tsx';

/** The columns that the reader wants to see of the list `key`, kept on this device, and the menu to choose them. */
export const useColumns = <R,>(key: string, usual: readonly string[], all: Record<string, Column<R>>) => {
  const t = useWords();
  const kept = remembered(`console.columns.${key}`);
  const [shown, setShown] = useState<readonly string[]>(kept === undefined ? usual : kept.split('\n'));
  const [open, setOpen] = useState(false);
  const turn = (name: string) => {
    const next = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
    remember(`console.columns.${key}`, next.join('\n'));
    setShown(next);
  };
  const chooser = (
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
          {Object.entries(all).map(([name, { title }]) => (
            <label key={name} class="row">
              <input type="checkbox" checked={shown.includes(name)} onChange={() => turn(name)} />
              <bdi>{title}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </details>
  );
  const columns = Object.entries(all).flatMap(([name, column]) => (shown.includes(name) ? [column] : []));
  return { columns, chooser };
};
