import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { numberText } from '../../i18n/format.ts';
import css from './tabs.module.css';

/** A box that scrolls sideways: it says in `data-more` at which sides it goes on, and these edges fade. */
export const useEdges = <E extends HTMLElement>() => {
  const box = useRef<E>(null);
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = shown;
      const sides = [scrollLeft > 1 && 'left', scrollLeft + clientWidth < scrollWidth - 1 && 'right'];
      shown.dataset.more = sides.filter(Boolean).join(' ');
    };
    const watching = new ResizeObserver(mark);
    for (const each of [shown, ...shown.children]) watching.observe(each);
    shown.addEventListener('scroll', mark, { passive: true });
    return () => {
      watching.disconnect();
      shown.removeEventListener('scroll', mark);
    };
  });
  return box;
};

type Tab = { href: string; label: string; count?: number | undefined; current: boolean };

/** Links to parts of a screen; a count that is not known yet keeps its room. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const nav = useEdges<HTMLElement>();
  const current = tabs.findIndex((tab) => tab.current);
  // On a narrow screen it may lie beyond the edge.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, tabs.every(({ count }) => count !== undefined)]);
  return (
    <nav class={css.tabs} ref={nav} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          class={`${css.tab} row`}
          aria-current={tab.current ? 'page' : undefined}
        >
          {tab.label}
          {'count' in tab && (
            <span class="tab-count">{tab.count === undefined ? '' : numberText(tab.count)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
};
