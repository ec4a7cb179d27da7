import { useState } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';

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

type Row = [id: string, label: string];

export const ChooseAllCell = ({ rows, chosen }: { rows: readonly Row[]; chosen: Chosen }) => {
  const t = useWords();
  return (
    <th class="choose">
      <input
        type="checkbox"
        aria-label={t.common.chooseAll}
        checked={rows.every(([id]) => chosen.ids.has(id))}
        onChange={(event) => chosen.choose(rows, event.currentTarget.checked)}
      />
    </th>
  );
};

export const ChooseCell = ({ row: [id, label], chosen }: { row: Row; chosen: Chosen }) => {
  const t = useWords();
  return (
    <td class="choose">
      <input
        type="checkbox"
        checked={chosen.ids.has(id)}
        aria-label={t.common.choose(label)}
        onChange={(event) => chosen.choose([[id, label]], event.currentTarget.checked)}
      />
    </td>
  );
};
