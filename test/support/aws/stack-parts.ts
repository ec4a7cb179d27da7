import { expect } from 'vitest';
import { functionName } from '../../../lib/service-function.ts';
import { type Resource, resourcesOf, type StackTemplate } from './synthesized-stack.ts';

/** A stage that keeps its data, with nothing set that it does not need. */
export const production = {
  stage: 'prod',
  account: '123456789012',
  region: 'eu-west-1',
  alarmEmail: 'operators@example.com',
  country: 'none',
};

/** The settings of a stage that has all there is. */
export const everything = {
  ...production,
  alarmEmail: 'operators@example.com,duty@example.com',
  corsOrigin: 'https://console.example.com',
  connectInstanceId: 'c0ffee00-1111-2222-3333-444455556666',
  connectFlowId: 'f10wf10w-1111-2222-3333-444455556666',
  connectSourceNumber: '+15550100',
  connectConcurrency: '25',
  connectNumberPrefix: '+86',
  connectMachineDetection: 'true',
  webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/outbound/a1b2',
  domainName: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/c1',
  country: 'CN',
  maxCallsPerNumberPerDay: '3',
  callingHours: '06:30-22:00',
  maxConcurrentCalls: '500',
  importMaxRows: '250000',
  keepCallsDays: '400',
  exportConcurrency: '20',
  importConcurrency: '30',
};

/** The one resource of a type. */
export const only = (from: StackTemplate, type: string): Resource => {
  const found = resourcesOf(from, type);
  expect(found.map(([id]) => id)).toHaveLength(1);
  return found[0]![1];
};

export const functionOf = (from: StackTemplate, id: string, stage = 'prod') =>
  resourcesOf(from, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === functionName(stage, id),
  );
