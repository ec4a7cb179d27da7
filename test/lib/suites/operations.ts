import { describe, expect, it } from 'vitest';
import { classOf } from '../../../lib/deployed-functions.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { eventFunctions } from '../../../shared/app/event-functions.ts';
import { type AlarmProperties, alarmsOf } from '../../support/aws/alarm-evaluation.ts';
import { everything, functionOf, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, type StackTemplate, synthesized } from '../../support/aws/synthesized-stack.ts';

const { template, json } = synthesized(everything);
const plain = synthesized(production);
const dev = synthesized({ stage: 'dev' });

const alarmOf = (name: string) =>
  alarmsOf(json).find(({ AlarmName }) => AlarmName === `outbound-prod-${name}`);

const functionsIn = (alarms: readonly AlarmProperties[]) =>
  alarms.flatMap(({ Metrics = [] }) =>
    Metrics.flatMap(
      ({ MetricStat }) =>
        MetricStat?.Metric.Dimensions?.map(({ Value }) => (Value as { Ref: string }).Ref) ?? [],
    ),
  );

describe('alarms', () => {
  it('tell of throttled functions, of all in the account, which share its quota', () => {
    const { Metrics, Threshold } = alarmOf('functions-throttled')!;
    expect(Threshold).toBe(1);
    expect(Metrics!.find(({ Id }) => Id === 'all')?.MetricStat?.Metric).toEqual({
      MetricName: 'Throttles',
      Namespace: 'AWS/Lambda',
    });
    expect(Metrics!.map(({ Expression }) => Expression)).toContain('FILL(all, 0) - exports');
  });

  it('tell throttled exports, which readers cause, from the others', () => {
    const exporting = allRoutes.filter((route) => classOf(route) === 'export').map(({ id }) => id);
    const ids = exporting.map((id) => functionOf(json, id)![0]).sort();
    for (const name of ['exports-throttled', 'functions-throttled']) {
      expect(functionsIn([alarmOf(name)!]).sort()).toEqual(ids);
      // Functions that were not called have no data.
      expect(JSON.stringify(alarmOf(name))).toContain('SUM([FILL(m0, 0)');
    }
  });

  it('judge latency without imports and exports, which take as long as their files are', () => {
    const patterns = Object.fromEntries(
      resourcesOf(json, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => [
        (Properties.MetricTransformations as { MetricName: string }[])[0]!.MetricName,
        Properties.FilterPattern as string,
      ]),
    );
    const { 'SlowRequests-general-prod': general = '', 'SlowRequests-dial-prod': dial = '' } = patterns;
    for (const pattern of [general, dial]) {
      expect(pattern).toContain('$.message = "request" && $.milliseconds >= 3000');
      // CloudWatch's limit.
      expect(pattern.length).toBeLessThanOrEqual(1024);
    }
    for (const route of allRoutes) {
      const of = classOf(route);
      expect([route.id, general.includes(`!= "${route.id}"`)]).toEqual([route.id, of !== 'general']);
      expect([route.id, dial.includes(`= "${route.id}"`)]).toEqual([route.id, of === 'dial']);
    }
  });

  it('tell that contacts wait and dialers ask, but no call is leased', () => {
    const { Metrics, Threshold, EvaluationPeriods } = alarmOf('nothing-leased')!;
    expect([Threshold, EvaluationPeriods]).toEqual([10, 3]);
    expect(
      Metrics!
        .map(({ MetricStat }) => MetricStat?.Metric.MetricName)
        .filter(Boolean)
        .sort(),
    ).toEqual(['CallsLeased', 'EmptyLeases']);
    expect(Metrics!.map(({ Expression }) => Expression)).toContain(
      'IF(FILL(leased, 0) > 0, 0, FILL(empty, 0))',
    );
  });

  it('tell of a schedule that no longer runs: no data is the failure', () => {
    const scheduled = eventFunctions.filter(({ trigger }) => trigger.kind === 'schedule');
    expect(scheduled.map(({ id }) => id)).toEqual(['doDueFileWork', 'doDueWork', 'pumpCalls']);
    for (const { id } of scheduled) {
      expect(alarmOf(`${id}-silent`)).toMatchObject({
        MetricName: 'Invocations',
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        TreatMissingData: 'breaching',
      });
    }
  });

  it('tell of a throttled index as of a throttled table, which alone says nothing of it', () => {
    const watched = (alarmOf('table-throttled')?.Metrics ?? []).flatMap(({ MetricStat }) =>
      MetricStat
        ? [[MetricStat.Metric.MetricName, MetricStat.Metric.Dimensions?.map(({ Name }) => Name)]]
        : [],
    );
    const [ofTable, ofIndex] = [['TableName'], ['GlobalSecondaryIndexName', 'TableName']];
    expect(watched).toEqual([
      ['ReadThrottleEvents', ofTable],
      ['ReadThrottleEvents', ofIndex],
      ['WriteThrottleEvents', ofTable],
      ['WriteThrottleEvents', ofIndex],
    ]);
  });

  it('count what was turned away in the access log', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [{ MetricName: 'RequestsTurnedAway-prod', MetricValue: '1' }],
    });
  });
});

describe('operations', () => {
  it('trace few requests, which cost more than the functions', () => {
    template.hasResourceProperties('AWS::XRay::SamplingRule', {
      SamplingRule: { ServiceName: 'outbound-prod/prod', FixedRate: 0.05, ReservoirSize: 0 },
    });
  });

  it('print what a client and an operator need', () => {
    expect(Object.keys(json.Outputs)).toEqual(
      expect.arrayContaining([
        ...[
          'ApiUrl',
          'TokenUrl',
          'UserPoolId',
          'DialerClientId',
          'IntegrationClientId',
          'BucketName',
          'DashboardUrl',
        ],
        'LogGroupName',
      ]),
    );
  });

  it('name the dashboard after stage and region: all regions share the names', () => {
    const nameOf = (from: StackTemplate) =>
      resourcesOf(from, 'AWS::CloudWatch::Dashboard')[0]![1].Properties.DashboardName;
    expect(nameOf(json)).toBe('outbound-prod-eu-west-1');
    expect(JSON.stringify(nameOf(dev.json))).toContain('{"Ref":"AWS::Region"}');
  });

  it('keep logical ids whatever the stage, so that a change shows as what it is', () => {
    const ids = (from: StackTemplate) =>
      resourcesOf(from, 'AWS::Lambda::Function')
        .map(([id]) => id)
        .filter((id) => !/^Custom/.test(id));
    expect(ids(dev.json)).toEqual(ids(plain.json));
  });
});
