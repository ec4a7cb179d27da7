import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { troubleWords } from '../../api/errors.ts';
import { createStore, useStore } from '../../base/store.ts';
import { type Dictionary, numberText, secondsText, useWords } from '../../i18n/i18n.ts';
import { Button, Icon, type IconName } from '../actions/button.tsx';
import css from './page.module.css';

type Aged = { data: unknown; isError: boolean; dataUpdatedAt: number };

/** What is said beside a figure whose request failed: how old it is, or that it is not known. */
export const agedWords = ({ data, isError, dataUpdatedAt }: Aged, t: Dictionary): string | undefined => {
  if (!isError) return undefined;
  return data === undefined ? t.common.notLoaded : t.common.notUpdated(secondsText(dataUpdatedAt));
};

/** The same for the figures of a whole screen, with a way to try again. */
export const AgedNote = ({ query }: { query: Aged & { refetch: () => unknown } }) => {
  const t = useWords();
  const words = agedWords(query, t);
  if (words === undefined) return null;
  return (
    <p class="banner row warning" role="status">
      <span>{t.common.figures(words)}</span>
      <Button kind="quiet" onClick={() => void query.refetch()} label={t.common.retry} />
    </p>
  );
};

type PageProps = {
  title: string;
  /** Stands beside the title. */
  badge?: ComponentChildren;
  back?: { href: string; label: string };
  below?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
};

/** One screen: its title is the document's, so that tabs and history tell them apart. */
export const Page = ({ title, badge, back, below, actions, children }: PageProps) => {
  const t = useWords();
  useEffect(() => {
    document.title = `${title} · ${t.product}`;
  }, [title, t]);
  return (
    <>
      <header class={`${css.pageHeader} row wrap`}>
        <div class={css.pageTitles}>
          {back && (
            <Link href={back.href} class={`${css.back} row`}>
              <Icon name="left" size={12} />
              <bdi>{back.label}</bdi>
            </Link>
          )}
          <div class="row wrap">
            <h1 tabIndex={-1}>
              <bdi>{title}</bdi>
            </h1>
            {badge}
          </div>
          {below && <div class={`${css.pageBelow} faint`}>{below}</div>}
        </div>
        {actions && <div class={`${css.pageActions} row wrap`}>{actions}</div>}
      </header>
      {children}
    </>
  );
};

type CardProps = {
  title: string /** Beside the title. */;
  note?: string;
  tools?: ComponentChildren;
  children: ComponentChildren;
};

/** A part of a screen with a title of its own. */
export const Card = ({ title, note, tools, children }: CardProps) => {
  const id = useId();
  return (
    <section class="card padded" aria-labelledby={id}>
      <div class="card-title row wrap">
        <h2 id={id}>{title}</h2>
        {note && <span class="sub grow">{note}</span>}
        {tools && <div class="row">{tools}</div>}
      </div>
      {children}
    </section>
  );
};

type EmptyProps = { icon: IconName; title?: string; words: string; children?: ComponentChildren };

export const Empty = ({ icon, title, words, children }: EmptyProps) => (
  <div class={`${css.empty} stack`}>
    <span class={css.emptyIcon}>
      <Icon name={icon} size={28} />
    </span>
    {title && <h2>{title}</h2>}
    <p class="faint">{words}</p>
    {children && <div class={`${css.emptyActions} row wrap`}>{children}</div>}
  </div>
);

/** The room of rows that are on their way: as high as they will be, so that nothing jumps. */
const Loading = () => {
  const t = useWords();
  return (
    <div class="loading card table-card" role="status">
      <span class="hidden">{t.common.loading}</span>
      {Array.from({ length: 6 }, (_, i) => (
        <div key={i} class={css.loadingRow} />
      ))}
    </div>
  );
};

export type Query = { data: unknown; error: unknown; isPending: boolean; refetch: () => unknown };

/** Stands where an answer will: its room while it is on its way, why it did not come, and a way to try again. */
export const Awaited = ({ query }: { query: Query }) => {
  const t = useWords();
  if (query.data !== undefined) return null;
  if (query.isPending) return <Loading />;
  const isGone = query.error instanceof ServiceRefusal && query.error.code === 404;
  return (
    <Empty icon={isGone ? 'search' : 'warning'} words={troubleWords(query.error, t)}>
      {!isGone && <Button onClick={() => void query.refetch()} label={t.common.retry} />}
    </Empty>
  );
};

type Toast = { id: number; text: string };

const shownMs = 5000;
const toasts = createStore<readonly Toast[]>([]);
let count = 0;

export const say = (text: string): void => {
  const toast = { id: ++count, text };
  toasts.set([...toasts.get().slice(-2), toast]);
  setTimeout(() => toasts.set(toasts.get().filter(({ id }) => id !== toast.id)), shownMs);
};

export const Toasts = () => (
  <div class={`${css.toasts} stack no-print`} role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text }) => (
      <div key={id} class={css.toast}>
        <bdi>{text}</bdi>
      </div>
    ))}
  </div>
);

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
