import { optionsFrom, usage } from './simulation/options.ts';
import { ProgressLines } from './simulation/progress-lines.ts';
import { ServiceClient, SimulationError } from './simulation/service-client.ts';
import { Simulator } from './simulation/simulator.ts';

const simulate = async (): Promise<void> => {
  const options = optionsFrom(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const service = new ServiceClient(options.baseUrl, options.token);
  const simulator = new Simulator(service, options);
  const lines = new ProgressLines(service, simulator, process.stdout);
  // A second signal ends the process at once, as it would without us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => simulator.stop());
  lines.start();
  try {
    await simulator.run();
  } finally {
    await lines.end().catch(() => {});
  }
};

try {
  await simulate();
} catch (error) {
  if (!(error instanceof SimulationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
