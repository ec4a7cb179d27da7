import { Link } from 'wouter-preact';
import { numberText, percentText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { Icon, type IconName } from './icon.tsx';
import './outcome.css';

/** In the order in which a bar shows them. */
export const outcomes = [
  'reached',
  'failed',
  'noAnswer',
  'waiting',
  'inCall',
  'blocked',
  'notDialed',
] as const;
export type Outcome = (typeof outcomes)[number];
export type OutcomeCounts = Record<Outcome, number>;

const icons: Record<Outcome, IconName> = {
  reached: 'check',
  failed: 'cross',
  noAnswer: 'bell',
  waiting: 'clock',
  inCall: 'phone',
  blocked: 'block',
  notDialed: 'circle',
};

/** Colour, icon and word: nobody has to tell colours apart. */
export const OutcomeMark = ({ outcome }: { outcome: Outcome }) => (
  <span class={`mark ${outcome}`}>
    <Icon name={icons[outcome]} size={12} />
  </span>
);

export const OutcomeLabel = ({ outcome }: { outcome: Outcome }) => (
  <span class="outcome-label">
    <OutcomeMark outcome={outcome} />
    {useWords().outcome[outcome]}
  </span>
);

const totalOf = (counts: OutcomeCounts) => outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

/** One bar for the whole of a task's contacts. */
export const OutcomeBar = ({ counts, high = false }: { counts: OutcomeCounts; high?: boolean }) => {
  const t = useWords();
  const shown = outcomes.filter((outcome) => counts[outcome] > 0);
  const label = shown.map((outcome) => `${t.outcome[outcome]} ${numberText(counts[outcome])}`).join(', ');
  return (
    <div class={high ? 'bar high' : 'bar'} role="img" aria-label={label || t.common.none} title={label}>
      {shown.map((outcome) => (
        <span key={outcome} class={`segment ${outcome}`} style={{ flexGrow: counts[outcome] }} />
      ))}
    </div>
  );
};

/** What the colours mean, with figures; each leads to those contacts. */
export const OutcomeLegend = ({
  counts,
  hrefOf,
}: {
  counts: OutcomeCounts;
  hrefOf: (outcome: Outcome) => string;
}) => {
  const t = useWords();
  const total = totalOf(counts);
  return (
    <ul class="legend">
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <Link href={hrefOf(outcome)} class="legend-entry">
            <OutcomeMark outcome={outcome} />
            <span class="legend-word">{t.outcome[outcome]}</span>
            <span class="figure">{numberText(counts[outcome])}</span>
            <span class="share">{percentText(total === 0 ? 0 : counts[outcome] / total)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
};
