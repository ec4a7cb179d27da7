import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { concurrently } from '../shared/platform/table/concurrency.ts';

/**
 * `npm run stage -- stop --stage prod` stops all functions of a stage, as a restore needs it.
 * `start` sets the reserved concurrency of each to that of the deployed template. Uses the AWS CLI
 * with the credentials and the region of the shell. Start it again if it was interrupted.
 */
const {
  values: { stage },
  positionals: [command],
} = parseArgs({ options: { stage: { type: 'string' } }, allowPositionals: true });
if (stage === undefined || (command !== 'stop' && command !== 'start')) {
  process.stderr.write('usage: npm run stage -- stop|start --stage <stage>\n');
  process.exit(1);
}

type Template = {
  Resources: Record<
    string,
    { Type: string; Properties?: { Timeout?: number; ReservedConcurrentExecutions?: number } }
  >;
};
type Summary = { LogicalResourceId: string; PhysicalResourceId: string; ResourceType: string };

/** Lambda takes 15 such requests a second. */
const atOnce = 4;
/** A template has at most 1 MB. */
const maxBuffer = 8 * 1024 * 1024;

const run = promisify(execFile);
const { AWS_REGION } = process.env;
/** Version 1 of the CLI knows the region by another name. */
const env = { ...process.env, ...(AWS_REGION && { AWS_DEFAULT_REGION: AWS_REGION }) };
const aws = async (...args: string[]): Promise<unknown> => {
  const { stdout } = await run('aws', [...args, '--output', 'json'], { maxBuffer, env });
  return stdout.trim() === '' ? undefined : JSON.parse(stdout);
};

/** The functions of the deployed stack. */
const functionsOf = async (stack: string) => {
  const ofStack = ['--stack-name', stack];
  const body = await aws('cloudformation', 'get-template', ...ofStack, '--query', 'TemplateBody');
  const { Resources } = (typeof body === 'string' ? JSON.parse(body) : body) as Template;
  const { StackResourceSummaries } = (await aws('cloudformation', 'list-stack-resources', ...ofStack)) as {
    StackResourceSummaries: Summary[];
  };
  return StackResourceSummaries.filter(({ ResourceType }) => ResourceType === 'AWS::Lambda::Function').map(
    ({ LogicalResourceId, PhysicalResourceId: name }) => {
      const { Timeout = 3, ReservedConcurrentExecutions: reserved } =
        Resources[LogicalResourceId]?.Properties ?? {};
      return { name, timeout: Timeout, reserved };
    },
  );
};

const reserve = (name: string, count: number | undefined) =>
  count === undefined
    ? aws('lambda', 'delete-function-concurrency', '--function-name', name)
    : aws(
        'lambda',
        'put-function-concurrency',
        '--function-name',
        name,
        '--reserved-concurrent-executions',
        String(count),
      );

const errorOf = (error: unknown): string => {
  const { code, stderr, message } = error as Error & { code?: string; stderr?: string };
  return code === 'ENOENT' ? 'the AWS CLI (aws) is not installed' : (stderr?.trim() ?? message);
};

try {
  const functions = await functionsOf(`outbound-${stage}`);
  let failed = 0;
  await concurrently(functions, atOnce, async ({ name, reserved }) => {
    try {
      await reserve(name, command === 'stop' ? 0 : reserved);
    } catch (error) {
      failed++;
      process.stderr.write(`${name}: ${errorOf(error)}\n`);
    }
  });
  if (failed > 0) throw new Error(`${failed} of ${functions.length} functions failed: run the command again`);
  const longest = Math.max(...functions.map(({ timeout }) => timeout));
  process.stdout.write(
    command === 'stop'
      ? `${functions.length} functions stopped; what runs already ends within ${longest} seconds\n`
      : `${functions.length} functions may run again\n`,
  );
} catch (error) {
  process.stderr.write(`${errorOf(error)}\n`);
  process.exitCode = 1;
}
