import { styleText } from 'node:util';
import { log } from '../shared/observability/log.ts';
import { serviceSettings } from '../shared/settings/environment.ts';
import { startService } from './service.ts';
import { inMemory } from './settings.ts';
import { barChart } from './simulation/bar-chart.ts';
import { fileForm, madeUpContacts } from './simulation/made-up-contacts.ts';
import { ProgressLines } from './simulation/progress-lines.ts';
import { ServiceClient, SimulationError, type Statistics } from './simulation/service-client.ts';
import { Simulator } from './simulation/simulator.ts';

const contactCount = 200;
const accessToken = 'demo';
const colored = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text: string) => (colored ? styleText('bold', text) : text);
const say = (text: string) => process.stdout.write(`${text}\n`);

/** A data source filled from a file, and a task that dials it. */
const prepare = async (service: ServiceClient): Promise<string> => {
  const { api } = service;
  const source = await service.ask(
    api.POST('/api/dataSource/add', { body: { dataSourceName: 'Made-up contacts' } }),
  );
  const imported = await service.ask(
    api.POST('/api/dataSource/{id}/contact/batchImport', {
      params: { path: { id: source.id } },
      body: fileForm(madeUpContacts(contactCount), 'contacts.csv') as never,
    }),
  );
  say(`  Imported   ${imported.successCount} contacts from contacts.csv`);
  const settings = { maxDialCount: 3, callInterval: 1, priority: 3 };
  const task = await service.ask(
    api.POST('/api/task/add', { body: { taskName: 'Spring survey', dataSourceId: source.id, ...settings } }),
  );
  await service.ask(api.POST('/api/task/publish', { body: { id: task.id } }));
  say('  Published  "Spring survey": up to 3 calls a contact, at least 1 second apart');
  return task.id;
};

const dial = async (service: ServiceClient, taskId: string): Promise<void> => {
  const options = { mix: { success: 0.6, noAnswer: 0.3 }, callsPerSecond: 100, seed: 1 };
  const simulator = new Simulator(service, { ...options, taskId, untilIdle: true });
  const lines = new ProgressLines(service, simulator, process.stdout);
  process.once('SIGINT', () => simulator.stop());
  lines.start();
  await simulator.run();
  await lines.end();
};

const hoursOf = (seconds: number) =>
  `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;

const show = (statistics: Statistics, seconds: number): void => {
  const { callCount, successCount, noAnswerCount, failCount, totalContacts } = statistics;
  say(`\n${bold(`${callCount} calls`)}, simulated in ${seconds.toFixed(1)} s`);
  const calls = [
    { label: 'success', count: successCount, color: 'green' },
    { label: 'no answer', count: noAnswerCount, color: 'yellow' },
    { label: 'failed', count: failCount, color: 'red' },
  ] as const;
  say(barChart(calls, colored));
  say(`\n${bold(`${totalContacts} contacts`)}`);
  const contacts = [
    { label: 'reached', count: successCount, color: 'green' },
    { label: 'given up', count: totalContacts - successCount, color: 'red' },
  ] as const;
  say(barChart(contacts, colored));
  const average = Math.round(statistics.avgDuration);
  say(`\n  ${hoursOf(statistics.totalDuration)} on the line, ${average} s a call on average\n`);
};

const demonstrate = async (): Promise<void> => {
  // Neither belongs in a picture of what the service does: its log, and the SDK's word on old Node versions.
  log.setLogLevel('SILENT');
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const settings = { port: 0, host: '127.0.0.1', dataDir: inMemory, ...serviceSettings({}) };
  const running = await startService({ ...settings, accessToken });
  say(
    `\n${bold('Outbound-call tasks')}: one service in memory, one contact list, one task, simulated calls\n`,
  );
  say(`  Service    ${running.url}`);
  try {
    const service = new ServiceClient(running.url, accessToken);
    const taskId = await prepare(service);
    const begun = performance.now();
    say(`\n${bold('Dialing')}`);
    await dial(service, taskId);
    show(await service.statistics(taskId), (performance.now() - begun) / 1000);
  } finally {
    await running.close();
  }
};

try {
  await demonstrate();
} catch (error) {
  if (!(error instanceof SimulationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
