import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiBodyOf, everything } from '../../support/aws/stack-parts.ts';
import {
  dependenciesOf,
  resourcesOf,
  type StackTemplate,
  synthesized,
} from '../../support/aws/synthesized-stack.ts';

const { json: prod } = synthesized(everything);
const { json: dev } = synthesized({ stage: 'dev' });
const stages: [string, StackTemplate][] = [
  ['production', prod],
  ['a dev stage', dev],
];

/** CloudFormation's and the services' own limits. */
const limits = { resources: 500, templateBytes: 1_000_000, inlinePolicies: 10_240, environment: 4096 };

/** The order in which CloudFormation makes the resources; what is left over waits for itself. */
const creationOrder = (template: StackTemplate): string[] => {
  const waiting = new Map(Object.keys(template.Resources).map((id) => [id, dependenciesOf(template, id)]));
  const made: string[] = [];
  for (let before = -1; before < made.length; ) {
    before = made.length;
    for (const [id, needs] of waiting) {
      if (![...needs].every((need) => !waiting.has(need))) continue;
      waiting.delete(id);
      made.push(id);
    }
  }
  return made;
};

/** All that must exist before the resource does. */
const before = (template: StackTemplate, id: string): Set<string> => {
  const found = new Set<string>();
  const add = (at: string) => {
    for (const need of dependenciesOf(template, at)) {
      if (found.has(need)) continue;
      found.add(need);
      add(need);
    }
  };
  add(id);
  return found;
};

describe.each(stages)('%s', (_, template) => {
  it('refers to nothing that it does not hold, and to nothing in a circle', () => {
    const all = Object.keys(template.Resources);
    const missing = all.flatMap((id) =>
      [...dependenciesOf(template, id)].filter((need) => !all.includes(need)),
    );
    expect(missing).toEqual([]);
    expect(creationOrder(template)).toHaveLength(all.length);
  });

  it('stays within the limits of what one stack may hold', () => {
    expect(Object.keys(template.Resources).length).toBeLessThan(limits.resources);
    expect(JSON.stringify(template).length).toBeLessThan(limits.templateBytes);
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::IAM::Role'))
      expect(JSON.stringify(Properties.Policies ?? []).length, id).toBeLessThan(limits.inlinePolicies);
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      expect(JSON.stringify(Properties.Environment ?? {}).length, id).toBeLessThan(limits.environment);
      expect(String(Properties.FunctionName ?? '').length, id).toBeLessThanOrEqual(64);
    }
  });

  it('publishes the API once all that it calls is there, and logs it once it may', () => {
    const [[stage]] = resourcesOf(template, 'AWS::ApiGateway::Stage') as [[string, unknown]];
    const accounts = resourcesOf(template, 'AWS::ApiGateway::Account').map(([id]) => id);
    const first = before(template, stage);
    const called = new Set(JSON.stringify(apiBodyOf(template)).match(/(?<=:function:)[\w-]+/g));
    const functions = resourcesOf(template, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
      called.has(Properties.FunctionName as string),
    );
    expect(functions).toHaveLength(called.size);
    expect(functions.map(([id]) => id).filter((id) => !first.has(id))).toEqual([]);
    expect(accounts.filter((id) => !first.has(id))).toEqual([]);
  });

  it('keeps no log group that it does not know', () => {
    const groups = resourcesOf(template, 'AWS::Logs::LogGroup').map(([id, { Properties }]) => {
      expect(Properties.RetentionInDays, id).toBeGreaterThan(0);
      return id;
    });
    for (const [id] of resourcesOf(template, 'AWS::Lambda::Function'))
      expect(
        [...dependenciesOf(template, id)].filter((need) => groups.includes(need)),
        id,
      ).toHaveLength(1);
  });
});

describe('the whole', () => {
  /**
   * By logical id: the properties of 0.4.0 with which CloudFormation makes another resource if they
   * change; null: not set.
   */
  const kept = JSON.parse(
    readFileSync(new URL('../../fixtures/kept-since-0.4.0.json', import.meta.url), 'utf8'),
  ) as Record<string, { Type: string } & Record<string, unknown>>;

  // Another table or user pool is empty, another client has another secret, another domain name is
  // already in use.
  it.each(Object.entries(kept))(
    'keeps %s of 0.4.0: an update does not replace it',
    (id, { Type, ...fixed }) => {
      const found = prod.Resources[id];
      const now = Object.keys(fixed).map((name) => [name, found?.Properties?.[name] ?? null]);
      expect([found?.Type, Object.fromEntries(now)]).toEqual([Type, fixed]);
    },
  );

  it('leaves the API of 0.4 as it is until its last caller has gone: nothing new has a logical id of its parts', () => {
    const former = [
      'ApiRestApiE35FEAFE',
      'ApiRestApiDeploymentStageprodE828476C',
      'ApiRestApiDeploymentStagedevE2B308CE',
      'ApiInvoker8A09C073',
    ];
    for (const { Resources } of [prod, dev]) expect(former.filter((id) => id in Resources)).toEqual([]);
  });

  it.each([
    ['AWS::ApiGateway::RestApi', 'ApiDefinition'],
    ['AWS::SQS::Queue', 'TriggersDeadLetters'],
    ['AWS::SQS::Queue', 'TriggersDeliveries'],
    ['AWS::Events::EventBus', 'Events'],
  ])('keeps the address of %s, which others know', (type, id) => {
    expect(resourcesOf(prod, type).map(([found]) => found.replace(/[0-9A-F]{8}$/, ''))).toContain(id);
  });
});

describe('a dev stage', () => {
  it('goes as a whole: nothing is kept, protected or full when its turn comes', () => {
    const kept = Object.entries(dev.Resources).filter(
      ([, { DeletionPolicy = 'Delete' }]) => DeletionPolicy !== 'Delete',
    );
    expect(kept.map(([id]) => id)).toEqual([]);
    for (const { Properties } of Object.values(dev.Resources)) {
      expect(Properties?.DeletionProtectionEnabled ?? false).toBe(false);
      expect(Properties?.DeletionProtection ?? 'INACTIVE').toBe('INACTIVE');
    }
    const [[bucket]] = resourcesOf(dev, 'AWS::S3::Bucket') as [[string, unknown]];
    const [[policy]] = resourcesOf(dev, 'AWS::S3::BucketPolicy') as [[string, unknown]];
    const [[emptying]] = resourcesOf(dev, 'Custom::S3AutoDeleteObjects') as [[string, unknown]];
    // Deleted the other way round: emptied while the bucket, and the policy that allows it, are
    // still there.
    expect([...before(dev, emptying)]).toEqual(expect.arrayContaining([bucket, policy]));
  });
});

describe('production', () => {
  it('can be made again after it was rolled back or removed: no name that outlives the stack is fixed', () => {
    const groups = resourcesOf(prod, 'AWS::Logs::LogGroup');
    const fixed = groups.filter(
      ([, { Properties }]) =>
        !/AWS::StackId|ApiDefinition|^""$/.test(JSON.stringify(Properties.LogGroupName ?? '')),
    );
    expect(fixed.map(([id]) => id)).toEqual([]);
    expect([...new Set(groups.map(([, { DeletionPolicy }]) => DeletionPolicy))]).toEqual([
      'RetainExceptOnCreate',
    ]);
    for (const [type, name] of [
      ['AWS::DynamoDB::Table', 'TableName'],
      ['AWS::S3::Bucket', 'BucketName'],
      ['AWS::Cognito::UserPool', 'UserPoolName'],
    ] as const)
      expect(resourcesOf(prod, type).map(([, { Properties }]) => Properties[name])).toEqual([undefined]);
  });

  it('keeps the log of API Gateway’s errors under the name that API Gateway gives it', () => {
    const names = resourcesOf(prod, 'AWS::Logs::LogGroup').map(([, { Properties }]) =>
      JSON.stringify(Properties.LogGroupName ?? ''),
    );
    expect(names.filter((name) => name.includes('API-Gateway-Execution-Logs_'))).toHaveLength(1);
  });

  it('is protected against removal, a dev stage is not', () => {
    expect(
      [synthesized(everything), synthesized({ stage: 'dev' })].map((each) => each.terminationProtection),
    ).toEqual([true, false]);
  });

  it('keeps the account’s role for API Gateway’s logs for the other stages', () => {
    const accounts = resourcesOf(prod, 'AWS::ApiGateway::Account');
    expect(accounts.map(([, { DeletionPolicy }]) => DeletionPolicy)).toEqual(['Retain']);
    expect(resourcesOf(dev, 'AWS::ApiGateway::Account')).toEqual([]);
  });

  it('keeps table, bucket and users when the stack goes', () => {
    const kept = (type: string) => resourcesOf(prod, type).map(([, { DeletionPolicy }]) => DeletionPolicy);
    for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::Cognito::UserPool'])
      expect(kept(type), type).toEqual(['Retain']);
  });
});
