import { resourcesOf, type StackTemplate } from './synthesized-stack.ts';

type Dimension = { Name: string; Value: string | { Ref: string } };
type Metric = { Namespace: string; MetricName: string; Dimensions?: Dimension[] };
type Query = {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: Metric; Period: number; Stat: string };
  ReturnData?: boolean;
};

export type AlarmProperties = {
  AlarmName: string;
  AlarmActions: { Ref: string }[];
  OKActions: { Ref: string }[];
  Metrics?: Query[];
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Period?: number;
  ComparisonOperator: 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold';
  TreatMissingData: 'notBreaching' | 'breaching';
} & Partial<Metric>;

/**
 * Data points of five minutes each, by the name of a metric; `undefined`: the metric has no data.
 */
export type Series = readonly (number | undefined)[];
export type Metrics = Readonly<Record<string, number | Series>>;

export const alarmsOf = (from: StackTemplate): AlarmProperties[] =>
  resourcesOf(from, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties as never);

const periodSeconds = 300;

/** A word, and for a function's metric the function it is of: `Errors doDueWork`. */
const nameOf = ({ Resources }: StackTemplate, { MetricName, Dimensions = [] }: Metric): string => {
  const of = Dimensions.flatMap(({ Name, Value }) => {
    if (Name === 'GlobalSecondaryIndexName') return ['index'];
    if (Name !== 'FunctionName') return [];
    const { FunctionName } = Resources[(Value as { Ref: string }).Ref]!.Properties;
    const words = (FunctionName as string).split('-').slice(2);
    return [words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('')];
  });
  return [MetricName.replace(/-prod$/, ''), ...of].join(' ');
};

/**
 * CloudWatch's own words in an expression. What has no data makes the result have none, unless it
 * is filled.
 */
const math = {
  FILL: (value: number, filled: number) => (Number.isNaN(value) ? filled : value),
  SUM: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0),
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
};

const evaluate = (expression: string, values: Readonly<Record<string, number>>): number =>
  new Function(...Object.keys(math), ...Object.keys(values), `return ${expression};`)(
    ...Object.values(math),
    ...Object.values(values),
  );

/** The alarms of a template, by the rules of CloudWatch. */
export const evaluation = (template: StackTemplate) => {
  const used = new Set<string>();

  /**
   * The value of a metric in each of `count` periods.
   * @throws where the table of metrics does not have it
   */
  const valuesOf = (metric: Metric, metrics: Metrics, count: number): number[] => {
    const name = nameOf(template, metric);
    if (!(name in metrics)) throw new Error(`there is no value for ${name}`);
    used.add(name);
    const value = metrics[name]!;
    return Array.from({ length: count }, (_, at) => {
      const found = typeof value === 'number' ? value : value[at % value.length];
      return found ?? Number.NaN;
    });
  };

  const resultsOf = ({ Metrics, ...alarm }: AlarmProperties, metrics: Metrics, count: number): number[] => {
    if (Metrics === undefined) {
      if (alarm.Period !== periodSeconds) throw new Error(`${alarm.AlarmName} has another period`);
      return valuesOf(alarm as Metric, metrics, count);
    }
    const series = new Map<string, number[]>();
    // CloudWatch takes the queries in any order. Expressions may use each other.
    const left = [...Metrics];
    while (left.length > 0) {
      const query = left.shift()!;
      const { Id, Expression, MetricStat } = query;
      if (MetricStat !== undefined) {
        series.set(Id, valuesOf(MetricStat.Metric, metrics, count));
        continue;
      }
      const waitsFor = left.some((other) => new RegExp(`\\b${other.Id}\\b`).test(Expression!));
      if (waitsFor) left.push(query);
      else
        series.set(
          Id,
          Array.from({ length: count }, (_, at) =>
            evaluate(Expression!, Object.fromEntries([...series].map(([id, values]) => [id, values[at]!]))),
          ),
        );
    }
    return series.get(Metrics.find(({ ReturnData }) => ReturnData !== false)!.Id)!;
  };

  /** Whether the alarm is raised in an hour with these metrics. */
  const isRaised = (alarm: AlarmProperties, metrics: Metrics): boolean => {
    const hour = 12;
    const isBreaching = (value: number) => {
      if (Number.isNaN(value)) return alarm.TreatMissingData === 'breaching';
      return alarm.ComparisonOperator === 'LessThanThreshold'
        ? value < alarm.Threshold
        : value >= alarm.Threshold;
    };
    const breaches = resultsOf(alarm, metrics, hour).map(isBreaching);
    return breaches.some((_, at) => {
      const window = breaches.slice(at, at + alarm.EvaluationPeriods);
      const enough = alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods;
      return window.length === alarm.EvaluationPeriods && window.filter(Boolean).length >= enough;
    });
  };

  return { isRaised, used };
};
