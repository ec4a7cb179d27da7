import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService } from '../../local/service.ts';
import { serviceSettings } from '../../shared/settings/environment.ts';

/** Runs in its own process: `served.ts <service|constant>`. It ends on request. */
export const accessToken = 'bench';
/** The same size as a list of 20 contacts. */
const constant = JSON.stringify({ code: 0, message: 'success', data: 'x'.repeat(5_000) });

const constantServer = async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': constant.length });
    response.end(constant);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const service = async () => {
  const settings = { port: 0, host: '127.0.0.1', dataDir: ':memory:', accessToken, ...serviceSettings({}) };
  return (await startService(settings)).url;
};

if (process.send !== undefined) {
  const url = await (process.argv[2] === 'constant' ? constantServer() : service());
  process.once('message', () => process.exit());
  process.send(url);
}
