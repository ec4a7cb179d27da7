import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Why a finding of the rule check is right as it is; checked with the AwsSolutions rules in the tests. */
export const acceptFindings = (construct: IConstruct, reasons: Readonly<Record<string, string>>): void =>
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
