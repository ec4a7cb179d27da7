import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classOf } from '../../../lib/deployed-functions.ts';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import { eventFunctions } from '../../../shared/api/event-functions.ts';
import { everything, functionOf, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, type StackTemplate, synthesized } from '../../support/aws/synthesized-stack.ts';

const { template, json } = synthesized(everything);
const plain = synthesized(production);
const dev = synthesized({ stage: 'dev' });

type Metric = {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: { MetricName: string; Dimensions?: { Name: string; Value: { Ref: string } }[] } };
};
type AlarmProperties = {
  AlarmName: string;
  AlarmActions: unknown;
  MetricName?: string;
  Metrics?: Metric[];
  Threshold: number;
  EvaluationPeriods: number;
  Period?: number;
  ComparisonOperator: string;
  TreatMissingData: string;
};

const alarmsOf = (from: StackTemplate) =>
  resourcesOf(from, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties as AlarmProperties);

const alarmOf = (name: string) =>
  alarmsOf(json).find(({ AlarmName }) => AlarmName === `outbound-prod-${name}`);

const functionsIn = (alarms: readonly AlarmProperties[]) =>
  alarms.flatMap(({ Metrics = [] }) =>
    Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions?.map(({ Value }) => Value.Ref) ?? []),
  );

describe('alarms', () => {
  it('all reach people through one topic', () => {
    const [topic] = resourcesOf(json, 'AWS::SNS::Topic')[0]!;
    for (const { AlarmActions } of alarmsOf(json)) expect(AlarmActions).toEqual([{ Ref: topic }]);
    for (const Endpoint of ['operators@example.com', 'duty@example.com'])
      template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint });
    expect(json.Outputs.AlarmTopicArn).toEqual({ Value: { Ref: topic } });
  });

  it('stand in the operations guide with what to do', () => {
    const guide = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const names = alarmsOf(json).map(({ AlarmName }) => AlarmName.replace('outbound-prod-', ''));
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

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

  it('and the traces cost little', () => {
    const metrics = alarmsOf(json).flatMap(({ Metrics }) =>
      Metrics === undefined ? [1] : Metrics.filter(({ MetricStat }) => MetricStat).map(() => 1),
    );
    // $0.10 a month each.
    expect(metrics.length).toBeLessThanOrEqual(45);
    template.hasResourceProperties('AWS::XRay::SamplingRule', {
      SamplingRule: { ServiceName: 'outbound-prod/prod', FixedRate: 0.05, ReservoirSize: 0 },
    });
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

  it.each([
    ['import-stuck', 'ImportAgeSeconds', 900],
    ['removal-stuck', 'RemovalAgeSeconds', 86_400],
    ['old-calls-stuck', 'OldCallsAgeSeconds', 86_400],
    ['erasure-stuck', 'ErasureAgeSeconds', 900],
    ['end-stuck', 'EndAgeSeconds', 900],
    ['deferred-stuck', 'DeferredAgeSeconds', 1800],
    ['events-not-published', 'EventsNotPublished', 1],
    ['turned-away', 'RequestsTurnedAway-prod', 100],
    ['server-errors', '5XXError', 5],
    ['latency-general', 'SlowRequests-general-prod', 10],
    ['latency-dial', 'SlowRequests-dial-prod', 10],
    ['transactions-lost', 'TransactionConflict', 3000],
    ['dead-letters', 'ApproximateNumberOfMessagesVisible', 1],
  ])('%s watches %s from %i on', (name, metric, Threshold) => {
    expect(alarmOf(name)).toMatchObject({ Threshold, TreatMissingData: 'notBreaching' });
    expect(JSON.stringify(alarmOf(name))).toContain(`"MetricName":"${metric}"`);
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
