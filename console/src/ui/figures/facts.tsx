import { type ComponentChildren, Fragment } from 'preact';
import { Link } from 'wouter-preact';
import { fullText, instantOf, momentText } from '../../i18n/format.ts';
import css from './facts.module.css';

export type Figure = { label: string; value: string; note?: string | undefined };

/** Figures side by side, each with its name above and what explains it below. */
export const Tiles = ({ figures, label }: { figures: readonly Figure[]; label?: string }) => (
  <dl
    class={`${css.tiles} card`}
    style={{ '--all': figures.length, '--half': Math.ceil(figures.length / 2) }}
    aria-label={label}
  >
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
export const Moment = ({ time }: { time: string | null | undefined }) => {
  if (!time) return <span class="faint">–</span>;
  const instant = instantOf(time);
  return (
    <time dateTime={new Date(instant).toISOString()} title={fullText(instant)}>
      {momentText(instant)}
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
