import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { allRoutes } from '../../shared/api/all-routes.ts';
import type { AlarmSpec } from '../alarms.ts';
import { type Monitored, period } from '../monitored.ts';
import { classOf } from '../route-class.ts';
import { chunks, combined } from './combined.ts';

const slowMs = Duration.seconds(3).toMilliseconds();

/** `name`, `name-2`, `name-3`: one for each ten functions. */
const numbered = (name: string, index: number) => (index === 0 ? name : `${name}-${index + 1}`);

const namesOf = (functions: readonly (readonly [string, LambdaFunction])[]) =>
  functions.map(([id]) => id).join(', ');

/** Imports and exports take as long as their files are: they would hide all others, or cry wolf for them. */
export const latencyAlarms = ({ functions }: Monitored): AlarmSpec[] => {
  const classes = new Map(allRoutes.map((route) => [route.id, classOf(route)]));
  return (['general', 'dial'] as const).flatMap((name) => {
    const ofClass = [...functions].filter(([id]) => classes.get(id) === name);
    return chunks(ofClass).map((some, i) => ({
      name: numbered(`latency-${name}`, i),
      words: `One request in ten takes longer than three seconds in one of ${namesOf(some)}`,
      metric: combined(
        'MAX',
        'p90 of the slowest, milliseconds',
        some.map(([, each]) => each.metricDuration({ statistic: Stats.percentile(90), period })),
      ),
      from: slowMs,
      periods: 3,
    }));
  });
};

const throttled = (
  name: string,
  functions: readonly (readonly [string, LambdaFunction])[],
  reason: string,
): AlarmSpec[] =>
  chunks(functions).map((some, i) => ({
    name: numbered(name, i),
    words: `Lambda refuses to run one of ${namesOf(some)}: ${reason}`,
    metric: combined(
      'SUM',
      'refused calls',
      some.map(([, each]) => each.metricThrottles({ statistic: Stats.SUM, period })),
    ),
    from: 1,
  }));

/** A refused call is never run, so it is in no log. Exports have a limit of their own, which readers reach. */
export const throttledFunctionAlarms = ({ functions }: Monitored): AlarmSpec[] => {
  const exporting = new Set(allRoutes.filter((route) => classOf(route) === 'export').map(({ id }) => id));
  const all = [...functions];
  return [
    ...throttled(
      'functions-throttled',
      all.filter(([id]) => !exporting.has(id)),
      'too many functions run at once',
    ),
    ...throttled(
      'exports-throttled',
      all.filter(([id]) => exporting.has(id)),
      'too many exports run at once',
    ),
  ];
};
