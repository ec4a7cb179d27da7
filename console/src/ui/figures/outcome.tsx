import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { status as states } from '../../../../shared/domain/tasks/task-states.ts';
import { numberText, percentText } from '../../i18n/format.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { Icon, type IconName } from '../actions/icon.tsx';
import css from './outcome.module.css';

/** In the order in which a bar shows them. */
const barLooks = {
  reached: { icon: 'check', color: '--reached' },
  failed: { icon: 'cross', color: '--failed' },
  noAnswer: { icon: 'bell', color: '--no-answer' },
  waiting: { icon: 'clock', color: '--waiting' },
  inCall: { icon: 'phone', color: '--in-call' },
  blocked: { icon: 'block', color: '--blocked' },
  notSelected: { icon: 'circle', color: '--not-selected' },
  notDialed: { icon: 'circle', color: '--not-dialed' },
} as const;
export type OutcomeCounts = Record<keyof typeof barLooks, number>;
export const outcomes = Object.keys(barLooks) as (keyof OutcomeCounts)[];

/** A contact with an agreed callback is among those that wait. */
export type Outcome = keyof OutcomeCounts | 'callback';
export const looks: Record<Outcome, { icon: IconName; color: `--${string}` }> = {
  ...barLooks,
  callback: { icon: 'clock', color: '--waiting' },
};
const colorOf = (outcome: Outcome) => ({ '--outcome': `var(${looks[outcome].color})` });

/** Always with icon and word: colours need not be told apart. */
export const OutcomeMark = ({ outcome }: { outcome: Outcome }) => (
  <span class={`${css.mark} ${outcome === 'callback' ? 'waiting' : outcome}`} style={colorOf(outcome)}>
    <Icon name={looks[outcome].icon} size={12} />
  </span>
);

export const OutcomeLabel = ({ outcome }: { outcome: Outcome }) => (
  <span class={`${css.outcomeLabel} row`}>
    <OutcomeMark outcome={outcome} />
    {useWords().outcome[outcome]}
  </span>
);

/** One bar for the whole of a task's contacts. */
export const OutcomeBar = ({ counts, high = false }: { counts: OutcomeCounts; high?: boolean }) => {
  const t = useWords();
  const shown = outcomes.filter((outcome) => counts[outcome] > 0);
  const label = shown.map((outcome) => `${t.outcome[outcome]} ${numberText(counts[outcome])}`).join(', ');
  return (
    <div
      class={high ? `${css.bar} high` : css.bar}
      role="img"
      aria-label={label || t.common.none}
      title={label}
    >
      {shown.map((outcome) => (
        <span
          key={outcome}
          class={`${css.segment} ${outcome}`}
          style={{ ...colorOf(outcome), flexGrow: counts[outcome] }}
        />
      ))}
    </div>
  );
};

type OutcomeLegendProps = { counts: OutcomeCounts; hrefOf: (outcome: keyof OutcomeCounts) => string };

/** What the colours mean, with figures; each leads to its contacts. */
export const OutcomeLegend = ({ counts, hrefOf }: OutcomeLegendProps) => {
  const t = useWords();
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  return (
    <ul class={css.legend}>
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <Link href={hrefOf(outcome)} class={`${css.legendEntry} row`}>
            <OutcomeMark outcome={outcome} />
            <span class="grow">{t.outcome[outcome]}</span>
            <span class="strong">{numberText(counts[outcome])}</span>
            <span class={`${css.share} faint`}>{percentText(total === 0 ? 0 : counts[outcome] / total)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
};

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

type ChipProps = JSX.IntrinsicElements['span'] & { color: string | undefined; active?: boolean };

/** A state: a dot of a colour of the theme, and a word. */
export const Chip = ({ color, active = false, children, ...rest }: ChipProps) => (
  <span {...rest} class={`${css.chip} row ${active ? 'active' : ''}`}>
    <span class={css.chipDot} style={color === undefined ? {} : { '--dot': `var(${color})` }} />
    {children}
  </span>
);

export const StatusChip = ({ status, stage: known }: { status: number; stage?: Stage | undefined }) => {
  const t = useWords();
  const stage = status === states.running ? known : undefined;
  const color = stage === undefined ? colors[status] : stageColors[stage];
  const words = t.status[status as keyof Dictionary['status']];
  return (
    <Chip color={color} active={stage === 'calling'} data-status={status}>
      {stage ? `${words} · ${t.tasks.stages[stage]}` : words}
    </Chip>
  );
};
