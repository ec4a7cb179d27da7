import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';

const folder = mkdtempSync(path.join(os.tmpdir(), 'outbound-stage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const calls = path.join(folder, 'calls');
const template = {
  Resources: {
    Lease: { Type: 'AWS::Lambda::Function', Properties: { Timeout: 29 } },
    Export: { Type: 'AWS::Lambda::Function', Properties: { Timeout: 900, ReservedConcurrentExecutions: 5 } },
    Table: { Type: 'AWS::DynamoDB::Table' },
  },
};
const summaries = Object.entries(template.Resources).map(([id, { Type }]) => ({
  LogicalResourceId: id,
  PhysicalResourceId: `outbound-prod-${id.toLowerCase()}`,
  ResourceType: Type,
}));

/** Stands in for the AWS CLI. It notes what it is asked, and knows one stack. */
const standIn = `#!${process.execPath}
const args = process.argv.slice(2);
require('node:fs').appendFileSync(${JSON.stringify(calls)}, args.join(' ') + '\\n');
const fail = (words) => { process.stderr.write('\\n' + words + '\\n'); process.exit(254); };
if (args.includes('outbound-gone')) fail('Stack with id outbound-gone does not exist');
if (args.includes(process.env.REFUSED)) fail('Rate exceeded');
if (args[1] === 'get-template') console.log(${JSON.stringify(JSON.stringify(template))});
if (args[1] === 'list-stack-resources')
  console.log(${JSON.stringify(JSON.stringify({ StackResourceSummaries: summaries }))});
`;
writeFileSync(path.join(folder, 'aws'), standIn, { mode: 0o755 });
beforeEach(() => writeFileSync(calls, ''));

const run = (args: string[], refused = '') =>
  new Promise<{ code: number; out: string; error: string }>((resolve) => {
    const env = { PATH: folder, REFUSED: refused, NODE_NO_WARNINGS: '1' };
    execFile(
      process.execPath,
      ['scripts/run.mjs', 'scripts/stage.ts', ...args],
      { env },
      (error, out, said) => resolve({ code: error === null ? 0 : Number(error.code), out, error: said }),
    );
  });
const changes = () =>
  readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('lambda'))
    .map((line) => line.replace('--function-name outbound-prod-', '').replace(' --output json', ''))
    .sort();

it('stops every function of a stage, and says how long those that run may go on', async () => {
  expect(await run(['stop', '--stage', 'prod'])).toEqual({
    code: 0,
    out: '2 functions stopped; what runs already ends within 900 seconds\n',
    error: '',
  });
  expect(changes()).toEqual([
    'lambda put-function-concurrency export --reserved-concurrent-executions 0',
    'lambda put-function-concurrency lease --reserved-concurrent-executions 0',
  ]);
});

it('starts them again, with the concurrency that the template reserves', async () => {
  expect(await run(['start', '--stage', 'prod'])).toEqual({
    code: 0,
    out: '2 functions may run again\n',
    error: '',
  });
  expect(changes()).toEqual([
    'lambda delete-function-concurrency lease',
    'lambda put-function-concurrency export --reserved-concurrent-executions 5',
  ]);
});

it('goes on after a refusal, and names the function', async () => {
  expect(await run(['stop', '--stage', 'prod'], 'outbound-prod-lease')).toEqual({
    code: 1,
    out: '',
    error: 'outbound-prod-lease: Rate exceeded\n1 of 2 functions failed: run the command again\n',
  });
  expect(changes()).toHaveLength(2);
});

it.each([
  [['stop', '--stage', 'gone'], 'Stack with id outbound-gone does not exist\n'],
  [['stop'], 'usage: npm run stage -- stop|start --stage <stage>\n'],
  [['pause', '--stage', 'prod'], 'usage: npm run stage -- stop|start --stage <stage>\n'],
])('says in a line what is wrong with %j', async (args, error) => {
  expect(await run(args)).toEqual({ code: 1, out: '', error });
});
