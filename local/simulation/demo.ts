import { styleText } from 'node:util';
import type { TaskOverview } from '../../client/client.ts';
import { log } from '../../shared/platform/observability/log.ts';
import { serviceSettings } from '../../shared/platform/settings/settings.ts';
import { clockText } from '../../shared/platform/time/time.ts';
import { startService } from '../service.ts';
import { inMemory } from '../settings.ts';
import { runProgram } from './command-line.ts';
import { surveyDispositions } from './made-up.ts';
import { addMadeUpCampaign } from './made-up-campaign.ts';
import { ProgressLines } from './progress-lines.ts';
import { ServiceClient, type Statistics } from './service-client.ts';
import { Simulator } from './simulator.ts';

type Bar = { label: string; count: number; color: 'green' | 'yellow' | 'red' | 'cyan' };

const width = 36;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Drawn in eighths of a character, so that small counts stay visible. */
const barOf = (count: number, most: number): string => {
  const steps = most === 0 ? 0 : Math.round((count / most) * width * 8);
  const drawn = '█'.repeat(Math.floor(steps / 8)) + eighths[steps % 8];
  return drawn === '' && count > 0 ? '▏' : drawn;
};

/** Bars on a common scale, with counts and shares of the whole. */
export const barChart = (bars: readonly Bar[], colored: boolean): string => {
  const most = Math.max(...bars.map(({ count }) => count));
  const whole = bars.reduce((sum, { count }) => sum + count, 0);
  const labelWidth = Math.max(...bars.map(({ label }) => label.length));
  const countWidth = Math.max(...bars.map(({ count }) => String(count).length));
  return bars
    .map(({ label, count, color }) => {
      const bar = barOf(count, most).padEnd(width);
      const share = whole === 0 ? 0 : (100 * count) / whole;
      return [
        `  ${label.padEnd(labelWidth)}`,
        colored ? styleText(color, bar) : bar,
        `${String(count).padStart(countWidth)}  ${share.toFixed(1).padStart(5)} %`,
      ].join('  ');
    })
    .join('\n');
};

const contactCount = 200;
const rules = { maxDialCount: 3, callInterval: 1, priority: 3 };
const accessToken = 'demo';
const colored = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text: string) => (colored ? styleText('bold', text) : text);
const say = (text: string) => process.stdout.write(`${text}\n`);

const dial = async (service: ServiceClient, taskId: string): Promise<void> => {
  const wishes = { callback: 0.05, doNotCall: 0.02 };
  const mix = { success: 0.6, noAnswer: 0.3, ...wishes, disposition: 0.9, data: 0.7, summary: 0.7 };
  const pace = { callsPerSecond: 100, speed: 120 };
  const options = { mix, seed: 1, ...pace, callbackSeconds: [1, 1, 7200], longestWaitSeconds: 60 };
  const simulator = new Simulator(service, { ...options, taskId, untilIdle: true });
  const lines = new ProgressLines(service, simulator, process.stdout);
  process.once('SIGINT', () => simulator.stop());
  lines.start();
  await simulator.run();
  await lines.end();
};

const waitWords = (reason: string | null, count: number): string => {
  if (reason === 'CALLBACK') return `${count} wait for the callback that they asked for`;
  return reason === 'HOURS' ? `${count} sleep: their own clock is outside the hours` : `${count} wait`;
};

const show = (
  statistics: Statistics,
  { contacts: ended, calls: made, waits }: TaskOverview,
  seconds: number,
): void => {
  const { callCount, successCount, noAnswerCount, failCount, totalContacts } = statistics;
  say(`\n${bold(`${callCount} calls`)}, simulated in ${seconds.toFixed(1)} s`);
  const calls = [
    { label: 'success', count: successCount, color: 'green' },
    { label: 'no answer', count: noAnswerCount, color: 'yellow' },
    { label: 'failed', count: failCount, color: 'red' },
  ] as const;
  say(barChart(calls, colored));
  const { busy, voicemail, poweredOff } = made.byReason;
  say(`\n  Not answered: ${busy} busy, ${voicemail} voicemail, ${poweredOff} switched off`);
  const counts = surveyDispositions.map(({ code, label }) => `${made.byDisposition[code]} ${label}`);
  say(`  Answered: ${counts.join(', ')}`);
  say(`\n${bold(`${totalContacts} contacts`)}`);
  const givenUp = ended.failed + ended.noAnswer;
  const left = totalContacts - ended.reached - givenUp - ended.blocked;
  const contacts = [
    { label: 'reached', count: ended.reached, color: 'green' },
    { label: 'given up', count: givenUp, color: 'red' },
    { label: 'blocked', count: ended.blocked, color: 'yellow' },
    { label: 'left to call', count: left, color: 'cyan' },
  ] as const;
  say(barChart(contacts, colored));
  const { totalDuration, avgDuration } = statistics;
  for (const { reason, count, from } of waits) say(`  ${waitWords(reason, count)}, the first from ${from}`);
  say(`\n  ${clockText(totalDuration)} h of talk, ${avgDuration.toFixed(1)} s a call on average\n`);
};

const demonstrate = async (): Promise<void> => {
  // The log of the service and the SDK's warning about old Node versions would only distract here.
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
    const campaign = await addMadeUpCampaign(service, contactCount, rules);
    const { taskId, brokenTaskId, imported, hours } = campaign;
    const { dailyStartTime, dailyEndTime, timeZone } = hours;
    say(`  Imported   ${imported} contacts from a file`);
    say(
      `  Published  "Spring survey", ${dailyStartTime}-${dailyEndTime} ${timeZone}: up to 3 calls a contact,`,
    );
    say('             at least 1 second apart, and agreed callbacks');
    const begun = performance.now();
    say(`\n${bold('Dialing')}`);
    await dial(service, taskId);
    const seconds = (performance.now() - begun) / 1000;
    show(await service.statistics(taskId), await service.overview(taskId), seconds);
    const { taskName, calls } = await service.overview(brokenTaskId);
    say(`${bold('Needs attention')}`);
    say(`  "${taskName}" paused itself: ${calls.failed} of its last ${calls.total} calls failed\n`);
  } finally {
    await running.close();
  }
};

await runProgram(demonstrate);
