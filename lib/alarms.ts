import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { eventFunctionAlarms, importAlarms } from './alarms/event-function-alarms.ts';
import { gatewayAlarms } from './alarms/gateway-alarms.ts';
import { latencyAlarms, throttledFunctionAlarms } from './alarms/route-alarms.ts';
import { storageAlarms } from './alarms/storage-alarms.ts';
import type { Monitored } from './monitored.ts';

export type AlarmSpec = {
  name: string;
  words: string;
  metric: IMetric;
  /** Raised from this value on, in this many periods in a row. */
  from: number;
  periods?: number;
};

/** Raised when there is nothing to see either: silence is the failure. */
export type SilenceAlarmSpec = Omit<AlarmSpec, 'from'> & { below: number };

const comparisonOf = (spec: AlarmSpec | SilenceAlarmSpec) =>
  'below' in spec
    ? {
        threshold: spec.below,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      }
    : {
        threshold: spec.from,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      };

/** Every alarm stands in docs/operations.md with what it means and what to do. */
export const addAlarms = (scope: Construct, monitored: Monitored, topic: ITopic): void => {
  const action: IAlarmAction = new SnsAction(topic);
  const specs = [
    gatewayAlarms,
    latencyAlarms,
    throttledFunctionAlarms,
    storageAlarms,
    importAlarms,
    eventFunctionAlarms,
  ].flatMap((specsOf): (AlarmSpec | SilenceAlarmSpec)[] => specsOf(monitored, scope));
  for (const spec of specs) {
    const alarm = new Alarm(scope, `alarm-${spec.name}`, {
      alarmName: `outbound-${monitored.settings.stage}-${spec.name}`,
      alarmDescription: `${spec.words}. See docs/operations.md, ${spec.name}.`,
      metric: spec.metric,
      evaluationPeriods: spec.periods ?? 1,
      ...comparisonOf(spec),
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
};
