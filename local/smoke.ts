import { ServiceClient, SimulationError } from './simulation/service-client.ts';
import { MainRoad } from './smoke/main-road.ts';
import { smokeOptions, usage } from './smoke/options.ts';
import { Steps } from './smoke/steps.ts';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Whether every step held. */
const smoke = async (): Promise<boolean> => {
  const { baseUrl, token, drop, help } = smokeOptions(process.argv.slice(2), process.env);
  if (help) {
    say(usage);
    return true;
  }
  const begun = Date.now();
  const steps = new Steps(say);
  const road = new MainRoad(new ServiceClient(baseUrl, token), steps, drop);
  // A step that failed has said so; what was begun is ended all the same.
  await road.walk(`smoke ${new Date().toISOString()}`).catch(() => {});
  await road.cleanUp().catch(() => {});
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  say(steps.failed === 0 ? `all held in ${seconds} s` : `${steps.failed} did not hold, ${seconds} s`);
  return steps.failed === 0;
};

try {
  process.exitCode = (await smoke()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof SimulationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
