import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StackSettings } from './settings/settings.ts';

/**
 * Contains the id of the stack, because logs that outlive a stack must not collide with those of
 * the next stack of the same stage.
 */
const logGroupPrefix = (stage: string): string =>
  `/outbound/${stage}/${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;

/** The logs of a stage that is not disposable are kept, unless its creation was rolled back. */
export const logKeeping = ({ disposable }: Pick<StackSettings, 'disposable'>, key: IKey | undefined) => ({
  ...(key && { encryptionKey: key }),
  retention: disposable ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
  removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
});

/**
 * One log for all functions. With a log for each, an endpoint would have a third resource. Lambda
 * puts the function's name into the name of each log stream.
 */
export const functionLogOf = (scope: Construct, settings: StackSettings, key: IKey | undefined): LogGroup =>
  new LogGroup(scope, 'FunctionLog', {
    logGroupName: `${logGroupPrefix(settings.stage)}/functions`,
    ...logKeeping(settings, key),
  });
