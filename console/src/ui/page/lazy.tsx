import { useQuery } from '@tanstack/preact-query';
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { askedOnce, connection } from '../../api/client.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { Empty, Page } from './page.tsx';

const retryMs = 3000;
let parts = 0;

/** Styles that could not be fetched. The loader asks for each of them only once. */
const lostStyles = new Set<HTMLLinkElement>();
const noteLost = ({ target }: Event) => {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target);
};
document.addEventListener('error', noteLost, true);

/** @throws Event, if a style still cannot be fetched */
const fetchLostStyles = async (): Promise<void> => {
  const links = [...lostStyles];
  lostStyles.clear();
  await Promise.all(
    links.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.addEventListener('load', resolve);
          again.addEventListener('error', reject);
          link.replaceWith(again);
        }),
    ),
  );
};

type Meanwhile = {
  height?: number;
  /** Of a screen: the title of its frame where it cannot be fetched. */
  title?: (t: Dictionary) => string;
};

/** A part of the page whose module is fetched when it is first shown; its room is kept meanwhile. */
export const lazy = <Name extends string, P extends object>(
  load: () => Promise<Record<Name, ComponentType<P>>>,
  name: Name,
  { height = 0, title }: Meanwhile,
): FunctionComponent<P> => {
  const fetched = {
    queryKey: ['part', ++parts],
    queryFn: async (): Promise<ComponentType<P>> => {
      try {
        await fetchLostStyles();
        return (await load())[name];
      } catch (error) {
        connection.set({ ...connection.get(), lost: true });
        throw error;
      }
    },
    ...askedOnce,
    retry: true,
    retryDelay: retryMs,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  };
  return (props: P) => {
    const t = useWords();
    const { data: Part, failureCount } = useQuery(fetched);
    const hasFailed = useRef(false);
    hasFailed.current ||= failureCount > 0;
    useEffect(() => {
      if (Part === undefined || !hasFailed.current) return;
      connection.set({ lost: false, lastHeard: Date.now() });
      // The heading that had the focus was that of the frame.
      if (title && document.activeElement === document.body)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    }, [Part]);
    if (Part !== undefined) return <Part {...props} />;
    if (title === undefined || failureCount === 0) return <div style={{ minHeight: `${height}px` }} />;
    return (
      <Page title={title(t)}>
        <Empty icon="warning" words={t.errors.network} />
      </Page>
    );
  };
};
