import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Api } from './api.ts';
import { programOf } from './program.ts';

type Options = { crashAtCall?: number; importMaxRows?: number };

/** The service in a process of its own. */
export const startServiceProcess = async (dataDir: string, { crashAtCall, importMaxRows }: Options = {}) => {
  const args = [dataDir, ...[importMaxRows, crashAtCall].map((number) => String(number ?? ''))];
  const child = spawn(
    process.execPath,
    [await programOf('test/support/service/service-in-process.ts'), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'ERROR', NODE_NO_WARNINGS: '1' },
    },
  );
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const [url] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('the service did not start'))),
  ])) as [string];
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const api = new Api();
  api.attach(url, stop);
  return { api, pid: child.pid as number, ended, stop };
};
