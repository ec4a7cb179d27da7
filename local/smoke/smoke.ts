import { parseArgs } from 'node:util';
import { addressOf, connectionOptions, parseOptions, runProgram } from '../simulation/command-line.ts';
import { ServiceClient } from '../simulation/service-client.ts';
import { MainRoad } from './main-road.ts';
import { Steps } from './steps.ts';

const usage = `npm run smoke -- [options]
  Walks through a running service from import to export, one line a step. The exit code is 1 if a step failed.
  --base-url <address>     http://127.0.0.1:3000 by default, with PORT if that is set
  --bucket <name>          also drops a file there, with the AWS credentials of your shell
  ACCESS_TOKEN             a variable: the token to read and write; LOCAL_ACCESS_TOKEN or local-dev-token by default
  DIAL_TOKEN               a variable: the token to dial; the token above by default
  npm prints the options of a program: give the tokens as variables, not with --token and --dial-token.`;

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const say = (line: string) => process.stdout.write(`${line}\n`);

const readOptions = () =>
  parseOptions(() =>
    parseArgs({
      options: {
        ...connectionOptions(process.env),
        'dial-token': { type: 'string' },
        bucket: { type: 'string' },
      },
    }),
  );

await runProgram(async () => {
  const { 'base-url': address, token, 'dial-token': dialOption, bucket, help } = readOptions();
  if (help) {
    say(usage);
    return;
  }
  const dialToken = dialOption || process.env.DIAL_TOKEN || token;
  const service = new ServiceClient(addressOf('base-url', address), token, dialToken);
  const begun = Date.now();
  const steps = new Steps(say);
  const road = new MainRoad(service, steps, bucket);
  // A failed step was shown already. What the test has created is always removed.
  await road.walk(`smoke ${new Date().toISOString()}`).catch(() => {});
  await road.cleanUp().catch(() => {});
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  say(steps.failed === 0 ? `all steps passed in ${seconds} s` : `${steps.failed} failed, ${seconds} s`);
  if (steps.failed > 0) process.exitCode = 1;
});
