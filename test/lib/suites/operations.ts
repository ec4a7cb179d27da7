import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classOf, deployedFunctions } from '../../../lib/deployed-functions.ts';
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
  MetricStat?: { Metric: { MetricName: string; Dimensions: { Name: string; Value: { Ref: string } }[] } };
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
    Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric.Dimensions[0]!.Value.Ref] : [])),
  );

const startingWith = (name: string) =>
  alarmsOf(json).filter(({ AlarmName }) => AlarmName.startsWith(`outbound-prod-${name}`));

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
    const names = alarmsOf(json).map(({ AlarmName }) =>
      AlarmName.replace('outbound-prod-', '').replace(/-\d$/, ''),
    );
    expect([...new Set(names)].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  it('tell of throttled functions, every one of them', () => {
    const throttled = startingWith('functions-throttled');
    const exports = startingWith('exports-throttled');
    expect(functionsIn([...throttled, ...exports])).toHaveLength(deployedFunctions.length);
    for (const { Metrics, Threshold } of [...throttled, ...exports]) {
      expect(Metrics!.length).toBeLessThanOrEqual(1 + 10);
      expect(Threshold).toBe(1);
      // Functions that were not called have no data.
      expect(Metrics!.find(({ Expression }) => Expression)?.Expression).toMatch(/^SUM\(\[FILL\(m0, 0\)/);
    }
  });

  it('tell throttled exports, which readers cause, from the others', () => {
    const exporting = allRoutes.filter((route) => classOf(route) === 'export').map(({ id }) => id);
    const ids = exporting.map((id) => functionOf(json, id)![0]);
    expect(functionsIn(startingWith('exports-throttled')).sort()).toEqual(ids.sort());
    expect(functionsIn(startingWith('functions-throttled')).filter((id) => ids.includes(id))).toEqual([]);
  });

  it('judge latency without imports and exports, which take as long as their files are', () => {
    const judged = functionsIn(startingWith('latency')).join();
    for (const id of ['ExportTask', 'BatchExport', 'BatchImport']) expect(judged).not.toContain(id);
    for (const id of ['ListContacts', 'LeaseCalls', 'AddTask']) expect(judged).toContain(id);
  });

  it('tell of a schedule that no longer runs: no data is the failure', () => {
    const scheduled = eventFunctions.filter(({ trigger }) => trigger.kind === 'schedule');
    expect(scheduled.map(({ id }) => id)).toEqual(['sweepImports', 'stopTasks', 'pumpCalls']);
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
    ['events-not-published', 'EventsNotPublished', 1],
    ['turned-away', 'RequestsTurnedAway-prod', 100],
    ['server-errors', '5XXError', 5],
    ['dead-letters', 'ApproximateNumberOfMessagesVisible', 1],
  ])('%s watches %s from %i on', (name, metric, Threshold) => {
    expect(alarmOf(name)).toMatchObject({ Threshold, TreatMissingData: 'notBreaching' });
    expect(JSON.stringify(alarmOf(name))).toContain(`"MetricName":"${metric}"`);
  });

  it('tell of a throttled index as of a throttled table, which alone says nothing of it', () => {
    const watched = (alarmOf('table-throttled')?.Metrics ?? []).flatMap(({ MetricStat }) =>
      MetricStat
        ? [[MetricStat.Metric.MetricName, MetricStat.Metric.Dimensions.map(({ Name }) => Name)]]
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
