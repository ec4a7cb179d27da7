import { expect } from 'vitest';
import { functionName } from '../../lib/service-function.ts';
import { type Resource, resourcesOf, type StackTemplate } from './synthesized-stack.ts';

/** The settings of a stage that has all there is. */
export const everything = {
  stage: 'prod',
  alarmEmail: 'operators@example.com',
  corsOrigin: 'https://console.example.com',
  connectInstanceId: 'c0ffee00-1111-2222-3333-444455556666',
  connectFlowId: 'f10wf10w-1111-2222-3333-444455556666',
  connectSourceNumber: '+15550100',
  connectConcurrency: '25',
  connectNumberPrefix: '+86',
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
