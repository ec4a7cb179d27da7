import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Button, IconButton } from './button.tsx';
import { Group } from './field.tsx';

type Props<R> = {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  rows: readonly R[];
  onRows: (rows: R[]) => void;
  atMost?: number;
  /** A row of a new entry, under these words. */
  fresh: { label: string; row: R };
  nameOf?: (row: R) => string;
  children: (row: R, put: (part: Partial<R>) => void, at: number) => ComponentChildren;
};

/** Rows of controls: each can be removed, another can be added. */
export const RowsField = <R,>({ rows, onRows, fresh, nameOf, children, ...props }: Props<R>) => {
  const t = useWords();
  const { label, error, hint, atMost = Number.POSITIVE_INFINITY } = props;
  return (
    <Group label={label} error={error} hint={hint}>
      {rows.map((row, i) => (
        <div key={i} class="pair row">
          {children(
            row,
            (part) => onRows(rows.map((each, at) => (at === i ? { ...each, ...part } : each))),
            i,
          )}
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
