import type { JSX } from 'preact';
import { type ComponentChildren, Fragment } from 'preact';
import { Link } from 'wouter-preact';
import type { Outcome } from '../../../../shared/tasks/rules/task-settings.ts';
import { status as states } from '../../../../shared/tasks/rules/task-states.ts';
import {
  type Dictionary,
  fullText,
  instantOf,
  momentSecondsText,
  momentText,
  numberText,
  percentText,
  useWords,
} from '../../i18n/i18n.ts';
import css from './figures.module.css';

export type Figure = { label: string; value: string; note?: string | undefined };

type TilesProps = { figures: readonly Figure[]; label?: string; isList?: boolean };

/** Figures side by side, each with its name above and what explains it below. `isList`: one below the other. */
export const Tiles = ({ figures, label, isList = false }: TilesProps) => (
  <dl class={isList ? css.list : css.tiles} aria-label={label}>
    {figures.map((figure) => (
      <div key={figure.label} class={css.tile}>
        <dt class="sub">{figure.label}</dt>
        <dd>
          <span class={css.tileValue}>{figure.value}</span>
          {figure.note !== undefined && <span class="sub">{figure.note}</span>}
        </dd>
      </div>
    ))}
  </dl>
);

export type Fact = readonly [label: ComponentChildren, value: ComponentChildren];

/** Names with their values. `none`: said where there are none. */
export const Facts = ({ facts, none }: { facts: readonly Fact[]; none?: string }) => (
  <dl class="facts">
    {facts.length === 0 && none && <dt class="faint">{none}</dt>}
    {facts.map(([label, value], i) => (
      <Fragment key={i}>
        <dt class="faint">
          <bdi>{label}</bdi>
        </dt>
        <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
      </Fragment>
    ))}
  </dl>
);

/** A timestamp of the service as the reader writes it; the whole of it on a closer look. */
type MomentProps = { time: string | null | undefined; withSeconds?: boolean };

export const Moment = ({ time, withSeconds = false }: MomentProps) => {
  if (!time) return null;
  const instant = instantOf(time);
  return (
    <time dateTime={new Date(instant).toISOString()} title={fullText(instant)}>
      {withSeconds ? momentSecondsText(instant) : momentText(instant)}
    </time>
  );
};

export const Sub = ({ text }: { text: string | null | undefined }) =>
  text ? (
    <div class="sub">
      <bdi>{text}</bdi>
    </div>
  ) : null;

/** The name of a task or a list, which leads to it, with what describes it below. */
export const NamedLink = ({ href, name, below }: { href: string; name: string; below?: string }) => (
  <>
    <Link href={href} class={`${css.rowLink} row-link strong`} title={name}>
      <bdi>{name}</bdi>
    </Link>
    <Sub text={below} />
  </>
);

/** In the order in which a bar shows them. */
const barColors = {
  reached: '--reached',
  noAnswer: '--no-answer',
  failed: '--failed',
  blocked: '--blocked',
  inCall: '--in-call',
  callable: '--callable',
  waiting: '--waiting',
  notDialed: '--sunken',
} as const;
type BarStanding = keyof typeof barColors;
/** `isEstimated`: how many contacts the filter selects, so those that were not called are an estimate. */
type StandingCounts = Record<BarStanding, number> & { isEstimated?: boolean };
const standings = Object.keys(barColors) as BarStanding[];

/** A contact with an agreed callback is among those that wait. */
export type Standing = Exclude<BarStanding, 'callable'> | 'callback' | 'notSelected';
export const colors: Record<Standing | 'callable', `--${string}`> = {
  ...barColors,
  notDialed: '--callable',
  callback: '--waiting',
  notSelected: '--sunken',
};

/** The service names `success` what is shown as `reached`. */
export const standingOf = (name: Exclude<Standing, 'reached'> | 'success'): Standing =>
  name === 'success' ? 'reached' : name;
const colorOf = (standing: Standing | 'callable') => ({ '--standing': `var(${colors[standing]})` });

/** Always with a mark and a word: colours need not be told apart. */
const Label = ({ standing, words }: { standing: Standing | 'callable'; words: string }) => (
  <span class={`${css.standingLabel} row`}>
    <span class={`${css.mark} ${standing}`} style={colorOf(standing)} />
    {words}
  </span>
);

/** How a contact stands. `words`: instead of the usual ones. */
export const StandingLabel = ({ standing, words }: { standing: Standing; words?: string | false }) => (
  <Label standing={standing} words={words || useWords().standing[standing]} />
);

/** How a call ended. */
export const OutcomeLabel = ({ outcome }: { outcome: Outcome }) => (
  <Label standing={standingOf(outcome)} words={useWords().outcome[outcome]} />
);

const sumOf = (counts: StandingCounts, those: readonly BarStanding[]) =>
  those.reduce((sum, standing) => sum + counts[standing], 0);
const totalOf = (counts: StandingCounts) => sumOf(counts, standings);

/** What a part of a bar is called: who waits may have been called before or not. */
const partWords = (standing: BarStanding, t: Dictionary): string => {
  if (standing === 'callable') return t.waits.callable;
  return standing === 'waiting' ? t.waits.title : t.standing[standing];
};

/** Where no contact was looked at yet, nothing is known of the contacts that were not called. */
const countText = (counts: StandingCounts, standing: BarStanding, t: Dictionary) => {
  const count = numberText(counts[standing]);
  if (!counts.isEstimated || standing !== 'callable') return count;
  return totalOf(counts) === 0 ? '–' : t.tasks.about(count);
};

/** With their final outcome. */
const doneStandings = ['reached', 'noAnswer', 'failed', 'blocked'] as const;

/** One bar for the whole of a task's contacts. A thin one shows what is done of it. */
export const StandingBar = ({ counts, high = false }: { counts: StandingCounts; high?: boolean }) => {
  const t = useWords();
  const shown = standings.filter((standing) => counts[standing] > 0);
  const label = shown
    .map((standing) => `${partWords(standing, t)} ${countText(counts, standing, t)}`)
    .join(', ');
  return (
    <div
      class={high ? `${css.bar} high` : css.bar}
      role="img"
      aria-label={label || t.common.none}
      title={label}
    >
      {(high ? shown : doneStandings).map((standing) => (
        <span
          key={standing}
          class={`${css.segment} ${standing}`}
          style={{ ...colorOf(standing), flexGrow: counts[standing] }}
          hidden={counts[standing] === 0}
        />
      ))}
      {!high && <span style={{ flexGrow: totalOf(counts) - sumOf(counts, doneStandings) }} />}
    </div>
  );
};

type StandingLegendProps = { counts: StandingCounts; hrefOf: (standing: BarStanding) => string };

/** What the colours mean, with figures; each leads to its contacts. Nobody is left out where nobody is. */
export const StandingLegend = ({ counts, hrefOf }: StandingLegendProps) => {
  const t = useWords();
  const total = totalOf(counts);
  return (
    <ul class={css.parts}>
      {standings
        .filter((standing) => counts[standing] > 0 || (counts.isEstimated && standing === 'callable'))
        .map((standing) => (
          <li key={standing}>
            <Link href={hrefOf(standing)} class={css.part}>
              <Label standing={standing} words={partWords(standing, t)} />
              <span class="figure">{countText(counts, standing, t)}</span>
              <span class="sub">{total === 0 ? '–' : percentText(counts[standing] / total)}</span>
            </Link>
          </li>
        ))}
    </ul>
  );
};

/** Of a running task: whether it calls, waits for a time, or needs an operator to act. */
export type Stage = 'calling' | 'waiting' | 'stuck';

type ChipProps = { look: 'calling' | 'waiting' | 'done' | 'trouble' | 'still'; children: ComponentChildren };

/** A state: a dot and a word. */
export const Chip = ({ look, children, ...rest }: ChipProps & JSX.IntrinsicElements['span']) => (
  <span {...rest} class={`${css.chip} row ${look === 'calling' ? 'active' : ''}`}>
    <span class={`${css.chipDot} ${css[look] ?? ''}`} />
    {children}
  </span>
);

const lookOf = (status: number, stage: Stage | undefined): ChipProps['look'] => {
  if (status === states.failed || stage === 'stuck') return 'trouble';
  if (status === states.running) return stage ?? 'waiting';
  return status === states.completed ? 'done' : 'still';
};

type StatusProps = {
  status: number;
  stage?: Stage | undefined;
  isTrouble?: boolean;
  isQuiet?: boolean;
};

/** `isTrouble`: the task asks for a decision. `isQuiet`: only the mark is seen. */
export const StatusChip = ({ status, stage: known, isTrouble = false, isQuiet = false }: StatusProps) => {
  const t = useWords();
  const stage = status === states.running ? known : undefined;
  return (
    <Chip look={isTrouble ? 'trouble' : lookOf(status, stage)} data-status={status}>
      <span class={isQuiet ? 'hidden' : ''}>
        {stage ? t.tasks.stages[stage] : t.status[status as keyof Dictionary['status']]}
      </span>
    </Chip>
  );
};
