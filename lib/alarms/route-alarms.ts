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

/** Such a call is never run, so that it is in no log. */
export const throttledFunctionAlarms = ({ functions }: Monitored): AlarmSpec[] =>
  chunks([...functions]).map((some, i) => ({
    name: numbered('functions-throttled', i),
    words: `Lambda refuses to run one of ${namesOf(some)}: too many run at once`,
    metric: combined(
      'SUM',
      'refused calls',
      some.map(([, each]) => each.metricThrottles({ statistic: Stats.SUM, period })),
    ),
    from: 1,
  }));
