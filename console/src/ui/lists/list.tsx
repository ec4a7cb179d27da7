import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useWords } from '../../i18n/i18n.ts';
import { Button, IconButton, type IconName } from '../actions/button.tsx';
import { SearchBox, Select } from '../fields/field.tsx';
import { Awaited, Empty, type Query } from '../page/page.tsx';
import css from './list.module.css';
import { Table, type TableProps } from './table.tsx';

/** Marks a page that was reached from the page before it. */
const paged = 'paged';

type TokenPagerProps = { totalWords: string; nextToken: string | null | undefined; address: Address };

/** A page knows the next page only: a reader who came by a link goes back to the first. */
export const TokenPager = ({ totalWords, nextToken, address }: TokenPagerProps) => {
  const t = useWords();
  const isFirst = address.text('from') === '';
  const toFirst = () => address.change({ from: undefined });
  const toPrevious = () => (history.state === paged ? history.back() : toFirst());
  const button = (label: string, onClick: () => void) => (
    <Button kind="quiet" onClick={onClick} label={label} />
  );
  return (
    <div class="pager row wrap faint">
      <span class="pager-total">{totalWords}</span>
      <PageSize address={address} />
      {!isFirst && button(t.common.first, toFirst)}
      {!isFirst && button(t.common.previous, toPrevious)}
      {nextToken && button(t.common.next, () => address.change({ from: nextToken }, { state: paged }))}
    </div>
  );
};

const pageSizes = [25, 50, 100] as const;

/** What a list shows stands in the address, so that a link shows the same and Back works. */
export const useAddress = () => {
  const [query, setQuery] = useSearchParams();
  const change = (
    values: Record<string, string | undefined>,
    how: { replace?: boolean; state?: string } = {},
  ) =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined || value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    }, how);
  const page = Number(query.get('page') ?? 1);
  return {
    text: (name: string) => query.get(name) ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize: pageSizes.find((size) => String(size) === query.get('size')) ?? pageSizes[0],
    toPage: (next: number, how = {}) => change({ page: next === 1 ? undefined : String(next) }, how),
    change,
  };
};

export type Address = ReturnType<typeof useAddress>;

const PageSize = ({ address }: { address: Address }) => {
  const t = useWords();
  return (
    <Select
      class={css.compact}
      label={t.common.pageSize}
      value={String(address.pageSize)}
      options={pageSizes.map((size) => ({ value: String(size), label: t.common.perPage(size) }))}
      onValue={(size) => address.change({ size, page: undefined, from: undefined })}
    />
  );
};

type PageFieldProps = { page: number; pages: number; onPage: (page: number) => void };

/** A page to type: shown where it leads once Enter is pressed or the field is left. */
const PageField = ({ page, pages, onPage }: PageFieldProps) => {
  const t = useWords();
  const [typed, setTyped] = useState(String(page));
  useEffect(() => setTyped(String(page)), [page]);
  const go = () => {
    const next = Math.min(pages, Math.max(1, Math.trunc(Number(typed)) || page));
    setTyped(String(next));
    if (next !== page) onPage(next);
  };
  return (
    <input
      class={css.compact}
      inputMode="numeric"
      aria-label={t.common.toPage}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={go}
    />
  );
};

type PagerProps = { total: number; pages: number; totalWords: string; address: Address };

/** The exact total, and the way to the other pages. Its room is kept also where there is one page only. */
const Pager = ({ total, pages, totalWords, address }: PagerProps) => {
  const t = useWords();
  const { page, toPage } = address;
  const step = (label: string, icon: IconName, to: number) => (
    <IconButton
      label={label}
      icon={icon}
      disabled={to < 1 || to > pages || to === page}
      onClick={() => toPage(to)}
    />
  );
  return (
    <nav class="pager row wrap faint" aria-label={t.common.page(page, pages)}>
      <span class="pager-total">{totalWords}</span>
      {total > pageSizes[0] && <PageSize address={address} />}
      {pages > 1 && (
        <span class="row">
          {step(t.common.first, 'first', 1)}
          {step(t.common.previous, 'left', page - 1)}
          <PageField page={page} pages={pages} onPage={toPage} />
          <span>{t.common.ofPages(pages)}</span>
          {step(t.common.next, 'right', page + 1)}
          {step(t.common.last, 'last', pages)}
        </span>
      )}
    </nav>
  );
};

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
