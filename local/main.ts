import { startService } from './service.ts';
import { SettingError, settingsFrom } from './settings.ts';

// The SDK's word on coming Node versions is for those who call AWS; nothing here does.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const start = async () => {
  const settings = settingsFrom(process.env);
  const service = await startService(settings);
  const line = `curl -s ${service.url}/api/task/list -H 'Authorization: Bearer ${settings.accessToken}'`;
  process.stdout.write(
    `\nThe service is up:  ${service.url}
Console:            ${service.url}/#token=${encodeURIComponent(settings.accessToken)}
Documentation:      ${service.url}/docs
Try it:             ${line}\n\n`,
  );
  service.prepareConsole().catch((error: Error) => {
    process.stderr.write(`The console could not be built: ${error.message}\n`);
  });
  return service;
};

try {
  const service = await start();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await service.close();
      process.exit(0);
    });
  }
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
