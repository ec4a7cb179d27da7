import { status as states } from '../../../shared/domain/tasks/task-states.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import './status.css';

/** States that have not begun or are over for good show a ring. */
const colors: Partial<Record<number, string>> = {
  [states.running]: '--reached',
  [states.paused]: '--no-answer',
  [states.stopped]: '--blocked',
  [states.completed]: '--in-call',
  [states.failed]: '--failed',
};

export const StatusChip = ({ status, active = false }: { status: number; active?: boolean }) => {
  const t = useWords();
  const color = colors[status];
  return (
    <span class={active ? 'chip row active' : 'chip row'} data-status={status}>
      <span class="chip-dot" style={color === undefined ? {} : { '--dot': `var(${color})` }} />
      {t.status[status as keyof Dictionary['status']]}
    </span>
  );
};
