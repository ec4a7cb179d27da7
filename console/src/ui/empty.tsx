import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import './empty.css';

export const Empty = ({
  icon,
  title,
  words,
  children,
}: {
  icon: IconName;
  title?: string;
  words: string;
  children?: ComponentChildren;
}) => (
  <div class="empty stack">
    <span class="empty-icon">
      <Icon name={icon} size={28} />
    </span>
    {title && <h2>{title}</h2>}
    <p>{words}</p>
    {children && <div class="empty-actions row wrap">{children}</div>}
  </div>
);

/** The place of rows that are on their way: as high as they will be, so that nothing jumps. */
export const Loading = ({ rows = 6 }: { rows?: number }) => {
  const t = useWords();
  return (
    <div class="loading card" role="status">
      <span class="hidden">{t.common.loading}</span>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} class="loading-row" />
      ))}
    </div>
  );
};

export const Failed = ({ words, onRetry }: { words: string; onRetry: () => void }) => {
  const t = useWords();
  return (
    <Empty icon="warning" words={words}>
      <Button onClick={onRetry} label={t.common.retry} />
    </Empty>
  );
};
