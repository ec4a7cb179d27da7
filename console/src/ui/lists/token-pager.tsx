import { useWords } from '../../i18n/i18n.ts';
import { Button } from '../actions/button.tsx';
import { type Address, PageSize } from './list.tsx';

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
