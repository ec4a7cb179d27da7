import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Button, IconButton } from './button.tsx';
import { Group, type Labelled } from './field.tsx';

export type RowsProps<R> = Labelled & {
  rows: readonly R[];
  onRows: (rows: R[]) => void;
  atMost?: number;
  /** A row of a new entry, under these words. */
  fresh: { label: string; row: R };
  nameOf?: (row: R) => string;
  children: (row: R, put: (part: Partial<R>) => void, at: number) => ComponentChildren;
};

/** Rows of controls: each can be removed, another can be added. */
export const RowsField = <R,>({ rows, onRows, fresh, nameOf, children, ...rest }: RowsProps<R>) => {
  const t = useWords();
  const { atMost = Number.POSITIVE_INFINITY, ...labelled } = rest;
  const putAt = (i: number) => (part: Partial<R>) =>
    onRows(rows.map((each, at) => (at === i ? { ...each, ...part } : each)));
  return (
    <Group {...labelled}>
      {rows.map((row, i) => (
        <div key={i} class="pair row">
          {children(row, putAt(i), i)}
          <IconButton
            label={`${t.common.remove} ${nameOf?.(row) ?? ''}`.trim()}
            icon="cross"
            onClick={() => onRows(rows.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      {rows.length < atMost && (
        <Button kind="quiet" icon="plus" onClick={() => onRows([...rows, fresh.row])} label={fresh.label} />
      )}
    </Group>
  );
};
