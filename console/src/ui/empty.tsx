import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Icon, type IconName } from './icon.tsx';
import './empty.css';

type EmptyProps = { icon: IconName; title?: string; words: string; children?: ComponentChildren };

export const Empty = ({ icon, title, words, children }: EmptyProps) => (
  <div class="empty stack">
    <span class="empty-icon">
      <Icon name={icon} size={28} />
    </span>
    {title && <h2>{title}</h2>}
    <p class="faint">{words}</p>
    {children && <div class="empty-actions row wrap">{children}</div>}
  </div>
);

/** The place of rows that are on their way: as high as they will be, so that nothing jumps. */
export const Loading = () => {
  const t = useWords();
  return (
    <div class="loading card table-card" role="status">
      <span class="hidden">{t.common.loading}</span>
      {Array.from({ length: 6 }, (_, i) => (
        <div key={i} class="loading-row" />
      ))}
    </div>
  );
};
