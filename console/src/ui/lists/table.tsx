import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { remember, remembered } from '../../base/preferences.ts';
import { useWords } from '../../i18n/i18n.ts';
import button from '../actions/button.module.css';
import { Button, Icon, Refused } from '../actions/button.tsx';
import menu from '../actions/menu.module.css';
import css from './list.module.css';

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
const ChooseBox = ({ rows, chosen, label }: ChooseBoxProps) => (
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
        class={`${css.disclosure} bare row strong row-open`}
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

export type Column<R> = {
  title: ComponentChildren;
  /** Beside a title without words, where rows are cards. */
  shortTitle?: string;
  /** Of its title and its cells: `number`, `wide` (not on narrow screens), `clip` (one line) and others. */
  class?: string | undefined;
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
  /** The group of a row, whose name stands above the first of its rows. The rows come by group. */
  groupOf?: ((row: R) => string) | undefined;
  /** On a phone each row is a card. */
  cards?: boolean | undefined;
};

export const Table = <R,>({
  rows,
  idOf,
  chosen,
  opened,
  class: more = '',
  groupOf,
  cards,
  ...props
}: TableProps<R>) => {
  const t = useWords();
  const named = (row: R): [string, string] => [String(idOf(row)), chosen?.label(row) ?? ''];
  const choose: Column<R> | false = chosen !== undefined && {
    title: <ChooseBox rows={rows.map(named)} chosen={chosen.rows} label={t.common.chooseAll} />,
    shortTitle: t.common.chooseAllShort,
    class: 'choose',
    cell: (row) => (
      <ChooseBox rows={[named(row)]} chosen={chosen.rows} label={t.common.choose(chosen.label(row))} />
    ),
  };
  const columns = [choose, ...props.columns].filter((column) => column !== false);
  return (
    <table class={`table ${cards ? 'cards' : ''} ${more}`}>
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={i} class={column.class} data-title={column.shortTitle}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => {
          const below = opened?.(row);
          const group = groupOf?.(row);
          const before = rows[at - 1];
          return (
            <Fragment key={idOf(row)}>
              {group !== undefined && (before === undefined || groupOf?.(before) !== group) && (
                <tr class="group">
                  <th scope="colgroup" colSpan={columns.length}>
                    {group}{' '}
                    <span class="tab-count">{rows.filter((each) => groupOf?.(each) === group).length}</span>
                  </th>
                </tr>
              )}
              <tr aria-selected={chosen?.rows.ids.has(String(idOf(row)))}>
                {columns.map((column, i) => (
                  <td
                    key={i}
                    class={column.class}
                    title={column.tip?.(row)}
                    data-title={typeof column.title === 'string' ? column.title : undefined}
                  >
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

/** The columns that the reader wants to see of the list `key`, kept on this device, and the menu to choose them. */
export const useColumns = <R,>(key: string, usual: readonly string[], all: Record<string, Column<R>>) => {
  const t = useWords();
  const [chosen, setChosen] = useState(remembered(`console.columns.${key}`)?.split('\n'));
  const shown = chosen ?? usual;
  const [open, setOpen] = useState(false);
  const turn = (name: string) => {
    const next = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
    remember(`console.columns.${key}`, next.join('\n'));
    setChosen(next);
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
      <summary class={`${button.button} row`}>{t.common.columns}</summary>
      {open && (
        <fieldset class={`${menu.list} popup stack from-left`} aria-label={t.common.columns}>
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
