import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StackSettings } from './settings/settings.ts';

/**
 * With the stack's own id in it: logs that outlive a stack must not be in the way of the next one of the
 * same stage.
 */
export const logGroupPrefix = (stage: string): string =>
  `/outbound/${stage}/${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;

/** What a stage that is not disposable logged stays, unless its creation was rolled back. */
export const logKeeping = ({ disposable }: Pick<StackSettings, 'disposable'>) => ({
  retention: disposable ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
  removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
});
