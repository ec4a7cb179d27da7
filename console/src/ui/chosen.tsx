import { useState } from 'preact/hooks';

/** Rows that the reader has ticked, on this page of the list or on another: what each is called, by id. */
export type Chosen = {
  ids: ReadonlyMap<string, string>;
  choose: (rows: readonly [id: string, label: string][], on: boolean) => void;
  clear: () => void;
};

export const useChosen = (): Chosen => {
  const [ids, setIds] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    ids,
    choose: (rows, on) => {
      const next = new Map(ids);
      for (const [id, label] of rows) on ? next.set(id, label) : next.delete(id);
      setIds(next);
    },
    clear: () => setIds(new Map()),
  };
};

type Props = { rows: readonly [id: string, label: string][]; chosen: Chosen; label: string };

/** Ticks one row, or all rows of the page. */
export const ChooseBox = ({ rows, chosen, label }: Props) => (
  <input
    type="checkbox"
    aria-label={label}
    checked={rows.every(([id]) => chosen.ids.has(id))}
    onChange={(event) => chosen.choose(rows, event.currentTarget.checked)}
  />
);
