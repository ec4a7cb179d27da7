import { runProgram } from './command-line.ts';
import { nothingToCall } from './nothing-to-call.ts';
import { optionsFrom, usage } from './options.ts';
import { ProgressLines } from './progress-lines.ts';
import { ServiceClient } from './service-client.ts';
import { Simulator } from './simulator.ts';

const simulate = async (): Promise<void> => {
  const options = optionsFrom(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const service = new ServiceClient(options.baseUrl, options.token);
  for (const line of await nothingToCall(service, options.taskId)) process.stdout.write(`${line}\n`);
  const simulator = new Simulator(service, options);
  const lines = new ProgressLines(service, simulator, process.stdout);
  // A second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => simulator.stop());
  lines.start();
  try {
    await simulator.run();
  } finally {
    await lines.end().catch(() => {});
  }
};

await runProgram(simulate);
