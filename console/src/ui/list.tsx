import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';
import { Awaited, type Query } from './awaited.tsx';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { Pager } from './pager.tsx';
import { SearchBox } from './search-box.tsx';
import { Table, type TableProps } from './table.tsx';
import { useAddress } from './use-address.ts';

type ListQuery<R> = Query & {
  data: { total: number; rows: readonly R[] } | undefined;
  isPlaceholderData: boolean;
};

type Props<R> = Omit<TableProps<R>, 'rows'> & {
  query: ListQuery<R>;
  search?: { label: string; inputMode?: 'tel' };
  /** Beside the search. */
  tools?: ComponentChildren;
  /** Beside the search, other filters that stand in the address. */
  filters?: readonly string[];
  /** Where there is nothing at all. */
  empty: ComponentChildren;
  /** Where nothing matches. */
  noMatch?: string;
  totalWords: (count: number) => string;
  /** Instead of pages by number. */
  pager?: ComponentChildren;
};

/** A list: an exact total, pages, a filter that stands in the address, rows to choose. */
export const List = <R,>(props: Props<R>) => {
  const { query, search, tools, filters = [] } = props;
  const t = useWords();
  const address = useAddress();
  const total = query.data?.total ?? 0;
  const rows = query.data?.rows ?? [];
  const isCounted = query.data !== undefined && !query.isPlaceholderData && props.pager === undefined;
  const pages = Math.max(1, Math.ceil(total / address.pageSize));
  const last = isCounted ? pages : address.page;
  useEffect(() => {
    // The page is no longer there: its rows were deleted, or a link is old.
    if (address.page > last) address.toPage(last, { replace: true });
  }, [address.page, last]);
  const isFiltered = [search ? 'q' : '', ...filters].some((name) => address.text(name) !== '');
  const isNone = query.data !== undefined && total === 0;
  const clear = Object.fromEntries(['q', 'page', 'from', ...filters].map((name) => [name, undefined]));
  return (
    <>
      {(search || tools) && !(isNone && !isFiltered) && (
        <div class="toolbar row wrap">
          {search && (
            <SearchBox
              {...search}
              value={address.text('q')}
              onSearch={(q) => address.change({ q, page: undefined, from: undefined }, { replace: true })}
            />
          )}
          {tools}
        </div>
      )}
      <Awaited query={query} />
      {isNone && !isFiltered && props.empty}
      {isNone && isFiltered && (
        <Empty icon="search" words={props.noMatch ?? ''}>
          <Button onClick={() => address.change(clear)} label={t.common.clearFilter} />
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="card table-card">
          <Table {...props} rows={rows} />
          {props.pager ?? (
            <Pager total={total} pages={pages} totalWords={props.totalWords(total)} address={address} />
          )}
        </div>
      )}
    </>
  );
};
