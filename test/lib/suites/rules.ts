import { Bucket } from 'aws-cdk-lib/aws-s3';
import { expect, it } from 'vitest';
import { everything, production } from '../../support/aws/stack-parts.ts';
import { findings } from '../../support/aws/synthesized-stack.ts';

const stages: [string, Record<string, string>][] = [
  ['production with all there is', everything],
  ['production with what it needs', production],
];

it.each(stages)('finds nothing unexplained by the AwsSolutions rules in %s', (_, settings) => {
  expect(findings(settings)).toBe('');
});

it('finds in a dev stage only what is explained, and would find a bucket that takes plain HTTP', () => {
  const found = findings({ stage: 'dev' }, (stack) => new Bucket(stack, 'Open'));
  expect(found).toContain('AwsSolutions-S10');
  expect(found.match(/AwsSolutions-\w+/g)?.filter((rule) => !/^AwsSolutions-(S1|S10)$/.test(rule))).toEqual(
    [],
  );
});
