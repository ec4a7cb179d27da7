import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { AlarmSpec, SilenceAlarmSpec } from './alarm-spec.ts';
import { backgroundAlarms } from './background-alarms.ts';
import type { Monitored } from './monitored.ts';
import { requestAlarms } from './request-alarms.ts';

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
        treatMissingData: spec.missingIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      };

/** `wake`: for alarms that cannot wait until the morning. `tomorrow`: for the others. */
export type AlarmTopics = Record<'wake' | 'tomorrow', ITopic>;

/** docs/operations.md says for each alarm which fault raises it and what to do. */
export const addAlarms = (scope: Construct, monitored: Monitored, topics: AlarmTopics): void => {
  const wake = new SnsAction(topics.wake);
  const tomorrow = new SnsAction(topics.tomorrow);
  for (const spec of [...requestAlarms(monitored, scope), ...backgroundAlarms(monitored)]) {
    const alarm = new Alarm(scope, `alarm-${spec.name}`, {
      alarmName: `outbound-${monitored.settings.stage}-${spec.name}`,
      alarmDescription: `${spec.words}. See docs/operations.md, ${spec.name}.`,
      metric: spec.metric,
      evaluationPeriods: spec.periods ?? 1,
      ...(spec.enough === undefined ? {} : { datapointsToAlarm: spec.enough }),
      ...comparisonOf(spec),
    });
    const action = spec.wakes ? wake : tomorrow;
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
};
