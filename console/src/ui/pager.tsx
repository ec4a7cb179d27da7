import { useWords } from '../i18n/i18n.ts';
import { IconButton } from './button.tsx';
import { pagesOf } from './use-address.ts';
import './pager.css';

type Props = { total: number; page: number; pageSize: number; onPage: (page: number) => void };

/** The exact total, and the way to the other pages. Its place is kept also where there is one page only. */
export const Pager = ({ total, page, pageSize, onPage }: Props) => {
  const t = useWords();
  const pages = pagesOf(total, pageSize);
  return (
    <nav class="pager" aria-label={t.common.page(page, pages)}>
      <span class="pager-total">{t.common.total(total)}</span>
      {pages > 1 && (
        <>
          <IconButton
            label={t.common.previous}
            icon="left"
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          />
          <span>{t.common.page(page, pages)}</span>
          <IconButton
            label={t.common.next}
            icon="right"
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          />
        </>
      )}
    </nav>
  );
};
