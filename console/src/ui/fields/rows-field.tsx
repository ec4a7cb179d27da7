import type { ComponentChildren } from 'preact';
import { useWords } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../actions/button.tsx';
import css from './field.module.css';
import { Group, type Labelled } from './field.tsx';

type TagsProps = { tags: readonly { id: string; label: string }[]; onRemove: (id: string) => void };

/** What was added so far; each entry can be removed. */
export const Tags = ({ tags, onRemove }: TagsProps) => {
  const t = useWords();
  if (tags.length === 0) return null;
  return (
    <ul class={`${css.tags} row wrap`}>
      {tags.map(({ id, label }) => (
        <li key={id} class={`${css.tag} row`}>
          <bdi>{label}</bdi>
          <IconButton label={`${t.common.remove} ${label}`} icon="cross" onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  );
};

type RowsProps<R> = Labelled & {
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

export type Pair = { name: string; value: string };

type PairProps = Omit<RowsProps<Pair>, 'fresh' | 'nameOf' | 'children'> & { nameAtMost: number; add: string };

/** Values under names that the reader chooses. */
export const PairFields = ({ nameAtMost, add, ...rest }: PairProps) => {
  const t = useWords();
  const labels = { name: t.contacts.fieldName, value: t.contacts.fieldValue };
  return (
    <RowsField {...rest} fresh={{ label: add, row: { name: '', value: '' } }} nameOf={({ name }) => name}>
      {(pair, put) =>
        (['name', 'value'] as const).map((part) => (
          <input
            key={part}
            aria-label={labels[part]}
            placeholder={labels[part]}
            value={pair[part]}
            dir="auto"
            aria-invalid={rest.error !== undefined}
            {...(part === 'name' ? { maxLength: nameAtMost } : {})}
            onInput={(event) => put({ [part]: event.currentTarget.value })}
          />
        ))
      }
    </RowsField>
  );
};
