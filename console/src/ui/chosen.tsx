import { useState } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';

/** Rows that the reader has ticked. */
export type Chosen = {
  ids: ReadonlySet<string>;
  choose: (some: readonly string[], on: boolean) => void;
  clear: () => void;
};

export const useChosen = (): Chosen => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    choose: (some, on) => {
      const next = new Set(ids);
      for (const id of some) on ? next.add(id) : next.delete(id);
      setIds(next);
    },
    clear: () => setIds(new Set()),
  };
};

export const ChooseAllCell = ({ rows, chosen }: { rows: readonly string[]; chosen: Chosen }) => {
  const t = useWords();
  return (
    <th class="choose">
      <input
        type="checkbox"
        aria-label={t.tasks.chooseAll}
        checked={rows.every((id) => chosen.ids.has(id))}
        onChange={(event) => chosen.choose(rows, event.currentTarget.checked)}
      />
    </th>
  );
};

export const ChooseCell = ({ id, label, chosen }: { id: string; label: string; chosen: Chosen }) => (
  <td class="choose">
    <input
      type="checkbox"
      checked={chosen.ids.has(id)}
      aria-label={label}
      onChange={(event) => chosen.choose([id], event.currentTarget.checked)}
    />
  </td>
);
