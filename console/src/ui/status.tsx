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

/** Of a running task: whether it calls, waits for a time, or needs an operator to act. */
export type Stage = 'calling' | 'waiting' | 'stuck';
const stageColors: Record<Stage, string> = { calling: '--reached', waiting: '--waiting', stuck: '--failed' };

export const StatusChip = ({ status, stage: known }: { status: number; stage?: Stage | undefined }) => {
  const t = useWords();
  const stage = status === states.running ? known : undefined;
  const color = stage === undefined ? colors[status] : stageColors[stage];
  return (
    <span class={stage === 'calling' ? 'chip row active' : 'chip row'} data-status={status}>
      <span class="chip-dot" style={color === undefined ? {} : { '--dot': `var(${color})` }} />
      {t.status[status as keyof Dictionary['status']]}
      {stage && ` · ${t.tasks.stages[stage]}`}
    </span>
  );
};
