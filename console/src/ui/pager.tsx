import { useEffect, useState } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';
import { IconButton } from './button.tsx';
import { Select } from './field.tsx';
import type { IconName } from './icon.tsx';
import './pager.css';
import { type Address, pageSizes } from './use-address.ts';

export const PageSize = ({ address }: { address: Address }) => {
  const t = useWords();
  return (
    <Select
      class="compact"
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
      class="compact"
      inputMode="numeric"
      aria-label={t.common.toPage}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={go}
    />
  );
};

type Props = { total: number; pages: number; totalWords: string; address: Address };

/** The exact total, and the way to the other pages. Its place is kept also where there is one page only. */
export const Pager = ({ total, pages, totalWords, address }: Props) => {
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
        <>
          {step(t.common.first, 'first', 1)}
          {step(t.common.previous, 'left', page - 1)}
          <PageField page={page} pages={pages} onPage={toPage} />
          <span>{t.common.ofPages(pages)}</span>
          {step(t.common.next, 'right', page + 1)}
          {step(t.common.last, 'last', pages)}
        </>
      )}
    </nav>
  );
};
