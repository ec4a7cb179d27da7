import { runProgram } from '../simulation/command-line.ts';
import { ServiceClient } from '../simulation/service-client.ts';
import { MainRoad } from './main-road.ts';
import { smokeOptions, usage } from './options.ts';
import { Steps } from './steps.ts';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const say = (line: string) => process.stdout.write(`${line}\n`);

await runProgram(async () => {
  const { baseUrl, token, dialToken, drop, help } = smokeOptions(process.argv.slice(2), process.env);
  if (help) {
    say(usage);
    return;
  }
  const begun = Date.now();
  const steps = new Steps(say);
  const road = new MainRoad(new ServiceClient(baseUrl, token, dialToken), steps, drop);
  // A failed step has been reported already. What the test has created is removed in any case.
  await road.walk(`smoke ${new Date().toISOString()}`).catch(() => {});
  await road.cleanUp().catch(() => {});
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  say(steps.failed === 0 ? `all steps passed in ${seconds} s` : `${steps.failed} failed, ${seconds} s`);
  if (steps.failed > 0) process.exitCode = 1;
});
