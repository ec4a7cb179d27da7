import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useWords } from '../i18n/i18n.ts';
import { Icon } from './icon.tsx';
import './page.css';
import './card.css';
import './table.css';

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
      <header class="page-header row wrap">
        <div class="page-titles">
          {back && (
            <Link href={back.href} class="back row">
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
          {below && <div class="page-below faint">{below}</div>}
        </div>
        {actions && <div class="page-actions row wrap">{actions}</div>}
      </header>
      {children}
    </>
  );
};
