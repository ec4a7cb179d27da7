import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from '../../i18n/i18n.ts';
import { Button, Refused } from '../actions/button.tsx';
import { Icon } from '../actions/icon.tsx';
import css from './chosen.module.css';

type Rows = readonly [id: string, label: string][];

/** Rows that the reader has ticked, on this page of the list or on another: what each is called, by id. */
export const useChosen = () => {
  const [ids, setIds] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    ids,
    choose: (rows: Rows, on: boolean) => {
      const next = new Map(ids);
      for (const [id, label] of rows) on ? next.set(id, label) : next.delete(id);
      setIds(next);
    },
    clear: () => setIds(new Map()),
  };
};

export type Chosen = ReturnType<typeof useChosen>;

type ChooseBoxProps = { rows: Rows; chosen: Chosen; label: string };

/** Ticks one row, or all rows of the page. */
export const ChooseBox = ({ rows, chosen, label }: ChooseBoxProps) => (
  <input
    type="checkbox"
    aria-label={label}
    checked={rows.every(([id]) => chosen.ids.has(id))}
    onChange={(event) => chosen.choose(rows, event.currentTarget.checked)}
  />
);

type ChosenBarProps = { chosen: Chosen; refused?: string | undefined; children: ComponentChildren };

/** What can be done with the rows that are selected, on this page of the list or on another. */
export const ChosenBar = ({ chosen, refused, children }: ChosenBarProps) => {
  const t = useWords();
  if (chosen.ids.size === 0) return null;
  return (
    <div class={`${css.chosenBar} row wrap`}>
      <span>{t.common.chosen(chosen.ids.size)}</span>
      {children}
      <Button kind="quiet" onClick={chosen.clear} label={t.common.chooseNone} />
      <Refused words={refused} />
    </div>
  );
};

/** The row of a list that is open, and the button in the row that opens it. */
export const useOpened = () => {
  const [opened, setOpened] = useState<string | undefined>();
  return {
    isOpen: (id: string) => opened === id,
    opener: (id: string, text: string, label: string) => (
      <button
        type="button"
        class={`${css.disclosure} bare row strong`}
        aria-expanded={opened === id}
        aria-label={label}
        onClick={() => setOpened(opened === id ? undefined : id)}
      >
        <Icon name={opened === id ? 'down' : 'right'} size={12} />
        <bdi>{text}</bdi>
      </button>
    ),
  };
};
