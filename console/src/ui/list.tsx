import { type ComponentChildren, Fragment } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Awaited } from './awaited.tsx';
import { Button } from './button.tsx';
import { ChooseAllCell, ChooseCell, type Chosen } from './chosen.tsx';
import { Empty } from './empty.tsx';
import { Pager } from './pager.tsx';
import { SearchBox } from './search-box.tsx';
import './table.css';
import { useAddress, useExistingPage } from './use-address.ts';

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

export type ListQuery<R> = {
  data: { total: number; rows: readonly R[] } | undefined;
  error: unknown;
  isPending: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
};

type Props<R> = {
  query: ListQuery<R>;
  columns: readonly (Column<R> | false)[];
  idOf: (row: R) => string;
  /** Rows that may be ticked, and what a row is called then. */
  chosen?: { rows: Chosen; label: (row: R) => string } | undefined;
  search?: { label: string; inputMode?: 'tel' };
  /** Beside the search. */
  tools?: ComponentChildren;
  /** Beside the search, other filters that stand in the address. */
  filters?: readonly string[];
  /** Where there is nothing at all. */
  empty: ComponentChildren;
  /** Where nothing matches. */
  noMatch?: string;
  /** What is no longer there where the answer is 404. */
  gone?: string;
  totalWords: (count: number) => string;
  /** Below an opened row. */
  opened?: (row: R) => ComponentChildren;
  /** Instead of pages by number. */
  pager?: ComponentChildren;
  class?: string;
};

/** A list: an exact total, pages, a filter that stands in the address, rows to choose. */
export const List = <R,>(props: Props<R>) => {
  const { query, idOf, chosen, search, tools, filters = [], opened } = props;
  const t = useWords();
  const address = useAddress();
  useExistingPage(address, props.pager === undefined ? query : { data: undefined, isPlaceholderData: false });
  const columns = props.columns.filter((column) => column !== false);
  const total = query.data?.total ?? 0;
  const rows = query.data?.rows ?? [];
  const isFiltered = [search ? 'q' : '', ...filters].some((name) => address.text(name) !== '');
  const isNone = query.data !== undefined && total === 0;
  const clear = Object.fromEntries(['q', 'page', ...filters].map((name) => [name, undefined]));
  return (
    <>
      {(search || tools) && !(isNone && !isFiltered) && (
        <div class="toolbar row wrap">
          {search && (
            <SearchBox
              {...search}
              value={address.text('q')}
              onSearch={(q) => address.change({ q, page: undefined }, { replace: true })}
            />
          )}
          {tools}
        </div>
      )}
      <Awaited query={query} {...(props.gone === undefined ? {} : { gone: props.gone })} />
      {isNone && !isFiltered && props.empty}
      {isNone && isFiltered && (
        <Empty icon="search" words={props.noMatch ?? ''}>
          <Button onClick={() => address.change(clear)}>{t.common.clearFilter}</Button>
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="card table-card">
          <table class={`table ${props.class ?? ''}`}>
            <thead>
              <tr>
                {chosen && (
                  <ChooseAllCell
                    rows={rows.map((row) => [idOf(row), chosen.label(row)])}
                    chosen={chosen.rows}
                  />
                )}
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
                    <tr aria-selected={chosen?.rows.ids.has(idOf(row))}>
                      {chosen && <ChooseCell row={[idOf(row), chosen.label(row)]} chosen={chosen.rows} />}
                      {columns.map((column, i) => (
                        <td key={i} class={column.class} title={column.tip?.(row)}>
                          {column.cell(row)}
                        </td>
                      ))}
                    </tr>
                    {below && (
                      <tr class="opened">
                        <td colSpan={columns.length + (chosen ? 1 : 0)}>{below}</td>
                      </tr>
                    )}
                  </Fragment>
                );
              })}
            </tbody>
          </table>
          {props.pager ?? <Pager total={total} totalWords={props.totalWords(total)} address={address} />}
        </div>
      )}
    </>
  );
};
