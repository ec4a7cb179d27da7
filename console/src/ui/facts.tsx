import { type ComponentChildren, Fragment } from 'preact';

export type Fact = readonly [label: ComponentChildren, value: ComponentChildren];

export const factsIn = (values: Readonly<Record<string, unknown>>): Fact[] =>
  Object.entries(values).map(([name, value]) => [name, String(value)]);

/** Names with their values. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
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
