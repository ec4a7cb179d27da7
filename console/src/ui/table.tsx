import { type ComponentChildren, Fragment } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { ChooseBox, type Chosen } from './chosen.tsx';
import './table.css';

export type Column<R> = {
  title: ComponentChildren;
  /** Of its title and its cells: `number`, `wide` (not on narrow screens), `clip` (one line) and others. */
  class?: string;
  cell: (row: R) => ComponentChildren;
  /** The whole of a text that is clipped. */
  tip?: (row: R) => string;
};

/** A column of text of any length. */
export const textColumn = <R,>(title: string, text: (row: R) => unknown, more = ''): Column<R> => {
  const words = (row: R) => String(text(row) ?? '');
  return { title, class: `clip ${more}`, tip: words, cell: (row) => <bdi>{words(row)}</bdi> };
};

export type TableProps<R> = {
  columns: readonly (Column<R> | false)[];
  rows: readonly R[];
  idOf: (row: R) => string | number;
  /** Rows that may be ticked, and what a row is called then. */
  chosen?: { rows: Chosen; label: (row: R) => string } | undefined;
  /** Below an opened row. */
  opened?: ((row: R) => ComponentChildren) | undefined;
  class?: string | undefined;
};

export const Table = <R,>({ rows, idOf, chosen, opened, class: more = '', ...props }: TableProps<R>) => {
  const t = useWords();
  const named = (row: R): [string, string] => [String(idOf(row)), chosen?.label(row) ?? ''];
  const choose: Column<R> | false = chosen !== undefined && {
    title: <ChooseBox rows={rows.map(named)} chosen={chosen.rows} label={t.common.chooseAll} />,
    class: 'choose',
    cell: (row) => (
      <ChooseBox rows={[named(row)]} chosen={chosen.rows} label={t.common.choose(chosen.label(row))} />
    ),
  };
  const columns = [choose, ...props.columns].filter((column) => column !== false);
  return (
    <table class={`table ${more}`}>
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={i} class={column.class}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const below = opened?.(row);
          return (
            <Fragment key={idOf(row)}>
              <tr aria-selected={chosen?.rows.ids.has(String(idOf(row)))}>
                {columns.map((column, i) => (
                  <td key={i} class={column.class} title={column.tip?.(row)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
              {below && (
                <tr class="opened">
                  <td colSpan={columns.length}>{below}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
};
