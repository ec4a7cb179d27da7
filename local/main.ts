import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './service.ts';
import { developmentToken, SettingError, type Settings, settingsFrom } from './settings.ts';

// The SDK warns about old Node versions for calls to AWS. The local service makes no such calls.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** The log is readable text on a terminal, and JSON elsewhere. */
const logFor = async (terminal: NodeJS.WriteStream): Promise<void> => {
  if (!terminal.isTTY) return;
  const [{ log }, { readableConsole }] = await Promise.all([
    import('../shared/platform/observability/log.ts'),
    import('./terminal-log.ts'),
  ]);
  Object.assign(log, { console: readableConsole(terminal) });
};

const countryLines = (country: string) =>
  country === ''
    ? `none is set: each spelling of a number counts as its own.
                    do-not-call stops 13800138000, not +8613800138000.
                    SERVICE_COUNTRY=CN makes them one number.`
    : `${country}. All spellings of a number that is valid there are one.`;

/** With the usual address and token, each line has at most 80 columns. */
const greeting = (url: string, { accessToken, country }: Settings) => {
  const token = `#token=${encodeURIComponent(accessToken)}`;
  return `
The service is up:  ${url}
Console:            ${url}/${token}
Documentation:      ${url}/docs${accessToken === developmentToken ? '' : token}
Country:            ${countryLines(country)}
Try it:
  curl -sf ${url}/api/task/list \\
    -H 'Authorization: Bearer ${accessToken}'

`;
};

/**
 * Containers are killed ten seconds after they were asked to stop. Work that does not end by then
 * (a receiver that hangs, a long step of an import) continues after the next start, as after a
 * crash.
 */
const stopWithinMs = 5_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

const start = async (onDamage: (line: string) => void) => {
  const settings = settingsFrom(process.env);
  // Loaded here, so that a wrong setting is shown at once.
  const { startService } = await import('./service.ts');
  await logFor(process.stdout);
  const service = await startService(settings, Date.now, onDamage);
  process.stdout.write(greeting(service.url, settings));
  return service;
};

/** A build that is stopped together with the service has not failed. */
const prepareConsole = (service: Service, isEnding: () => boolean) =>
  service.prepareConsole().catch((error: Error) => {
    if (!isEnding()) say(`The console could not be built: ${error.message}`);
  });

try {
  let isEnding = false;
  const end = async (exitCode: number) => {
    isEnding = true;
    await Promise.race([service.close(), pause(stopWithinMs)]);
    process.exit(exitCode);
  };
  // No answer is better than one with missing rows.
  const service = await start((line) => {
    say(line);
    void end(1);
  });
  void prepareConsole(service, () => isEnding);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0));
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  say(error.message);
  process.exit(1);
}
