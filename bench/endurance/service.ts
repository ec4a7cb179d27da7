import { readdirSync, readlinkSync } from 'node:fs';
import { startService } from '../../local/service.ts';
import { serviceSettings } from '../../shared/settings/environment.ts';

/** Bytes after a garbage collection, and open handles by kind. */
export type Usage = {
  heap: number;
  outside: number;
  rss: number;
  handles: { database: number; sockets: number; others: string[] };
};

const handlesFolder = '/proc/self/fd';
export const canCountHandles = process.platform === 'linux';

const targets = (): string[] =>
  canCountHandles
    ? readdirSync(handlesFolder).flatMap((name) => {
        try {
          return [readlinkSync(`${handlesFolder}/${name}`)];
        } catch {
          // The handle with which the folder itself was read is closed by now.
          return [];
        }
      })
    : [];

/** The engine keeps a varying number of its files open. Any other open handle may be a leak, so it is listed by name. */
const handles = (dataDir: string): Usage['handles'] => {
  const open = targets().filter((target) => target !== `/proc/${process.pid}/fd`);
  const isDatabase = (target: string) => target.startsWith(`${dataDir}/dynamodb/`);
  const isSocket = (target: string) => target.startsWith('socket:');
  return {
    database: open.filter(isDatabase).length,
    sockets: open.filter(isSocket).length,
    others: open.filter((target) => !isDatabase(target) && !isSocket(target)).sort(),
  };
};

const usage = (dataDir: string): Usage => {
  gc?.();
  gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, outside: external, rss, handles: handles(dataDir) };
};

/** Runs in its own process with `--expose-gc`: `service.ts <data folder> <token>`. It measures on request. */
if (process.send !== undefined) {
  const [dataDir = '', accessToken = ''] = process.argv.slice(2);
  const settings = { port: 0, host: '127.0.0.1', dataDir, accessToken, ...serviceSettings({}) };
  const service = await startService(settings);
  process.on('message', (message) => {
    if (message === 'end') void service.close().then(() => process.exit());
    else process.send?.(usage(dataDir));
  });
  process.once('disconnect', () => process.exit());
  process.send(service.url);
}
