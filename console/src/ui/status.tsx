import { useWords } from '../i18n/i18n.ts';
import './status.css';

export type TaskStatus = 0 | 1 | 2 | 3 | 4 | 5 | 6;
const names = ['draft', 'running', 'paused', 'stopped', 'completed', 'failed', 'closed'] as const;

export const StatusChip = ({ status, active = false }: { status: number; active?: boolean }) => {
  const t = useWords();
  const known = (status in t.status ? status : 0) as TaskStatus;
  return (
    <span class={`chip ${names[known]}${active ? ' active' : ''}`}>
      <span class="chip-dot" aria-hidden="true" />
      {t.status[known]}
    </span>
  );
};
