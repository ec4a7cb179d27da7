import { Bucket } from 'aws-cdk-lib/aws-s3';
import { expect, it } from 'vitest';
import { findings } from '../support/synthesized-stack.ts';

const connect = { connectInstanceId: 'i', connectFlowId: 'f', connectSourceNumber: '+15550100' };
const corsOrigin = 'https://console.example.com';

it('finds nothing unexplained by the AwsSolutions rules in production', () => {
  expect(findings({ stage: 'prod', corsOrigin, ...connect })).toBe('');
});

it('finds nothing unexplained in a dev stage', () => {
  expect(findings({ stage: 'dev' })).toBe('');
});

it('would find a bucket that takes plain HTTP', () => {
  expect(findings({ stage: 'dev' }, (stack) => new Bucket(stack, 'Open'))).toContain('AwsSolutions-S10');
});
