import { useState } from 'preact/hooks';

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
