import { Duration } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Variable } from '../shared/platform/settings/settings.ts';
import { acceptFindings } from './accepted-findings.ts';
import type { DeployedFunction } from './deployed-functions.ts';
import type { StackSettings } from './settings/settings.ts';

const kebabCase = (id: string) => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const capitalised = (id: string) => id.charAt(0).toUpperCase() + id.slice(1);

export const functionName = (stage: string, id: string) => `outbound-${stage}-${kebabCase(id)}`;

/** For `Fn.sub`. It names the function before it exists, so its callers need not wait for it. */
export const functionArn = (stage: string, id: string) =>
  `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${functionName(stage, id)}`;

export type ServiceFunctionProps = {
  deployed: DeployedFunction;
  settings: StackSettings;
  /** The folder with the function's bundle. */
  code: string;
  environment: Partial<Record<Variable, string>>;
  /** How many instances may run at once. Undefined: as many as the account allows. */
  concurrency: number | undefined;
  /** Shared by all functions. */
  log: LogGroup;
  /**
   * API Gateway chooses the requests to trace. Otherwise Lambda would trace nearly every run, which
   * is expensive.
   */
  isTraced: boolean;
  /** What the function may do besides writing its log and its traces. */
  statements: PolicyStatement[];
  /** Why some of these resources end in a wildcard, by the name that the rule check gives them. */
  wildcards: Record<string, string>;
};

/** A function with its own role. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, props: ServiceFunctionProps) {
    const { deployed, settings, code, environment, concurrency, log, isTraced } = props;
    super(scope, capitalised(deployed.id));
    const name = functionName(settings.stage, deployed.id);
    this.function = new LambdaFunction(this, 'Function', {
      functionName: name,
      description: deployed.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(code),
      memorySize: deployed.memory,
      timeout: Duration.seconds(deployed.timeout),
      tracing: isTraced ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
      logGroup: log,
      environment,
      ...(concurrency === undefined ? {} : { reservedConcurrentExecutions: concurrency }),
      // CDK adds no statement, so the role has exactly the declared ones.
      role: this.#role(props).withoutPolicyUpdates() as IRole,
    });
  }

  #role({ log, statements, wildcards, isTraced }: ServiceFunctionProps): Role {
    const logging = ['logs:CreateLogStream', 'logs:PutLogEvents'];
    const own = [new PolicyStatement({ actions: logging, resources: [log.logGroupArn] })];
    if (isTraced) {
      const tracing = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];
      own.push(new PolicyStatement({ actions: tracing, resources: ['*'] }));
    }
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements: [...own, ...statements] }) },
    });
    const reasons = { '*': 'X-Ray and ListStreams know no narrower resource', ...wildcards };
    for (const [resource, reason] of Object.entries(reasons)) {
      acceptFindings(role, { [`AwsSolutions-IAM5[Resource::${resource}]`]: reason });
    }
    return role;
  }
}
