import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createRuntime } from '../shared/runtime.ts';
import { Database } from '../shared/store/database.ts';
import { documentClient } from '../shared/store/document-client.ts';
import { localVerifier } from './authentication.ts';
import { documentation } from './documentation.ts';
import { embeddedClientConfig, openEmbeddedDynamoDb } from './dynamodb/embedded-dynamodb.ts';
import { ensureTable } from './dynamodb/ensure-table.ts';
import { loadFunctions } from './functions.ts';
import { createGateway } from './server.ts';
import { inMemory, SettingError, type Settings } from './settings.ts';

export type Service = { url: string; close: () => Promise<void> };

const tableName = 'outbound';

const usableFolder = async (dataDir: string) => {
  if (dataDir === inMemory) return;
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    throw new SettingError(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
};

/** The whole service in this process. @throws SettingError with one line for whoever started it */
export const startService = async (settings: Settings): Promise<Service> => {
  const { dataDir, timeZone } = settings;
  await usableFolder(dataDir);
  const within = (name: string) => (dataDir === inMemory ? inMemory : path.join(dataDir, name));
  const dynamoDb = await openEmbeddedDynamoDb({ path: within('dynamodb') }).catch((error: Error) => {
    throw new SettingError(`DATA_DIR cannot be used: ${error.message}`);
  });
  const client = documentClient(embeddedClientConfig(dynamoDb));
  await ensureTable(client, tableName);
  const runtime = createRuntime({ database: new Database(client, tableName), timeZone });
  const verify = await localVerifier(dataDir, settings.accessToken);
  const server = createGateway(await loadFunctions(runtime), verify, documentation());
  try {
    await listening(server, settings);
  } catch (error) {
    await dynamoDb.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await closed;
      await dynamoDb.close();
    },
  };
};

const listening = (server: ReturnType<typeof createGateway>, { port, host }: Settings) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new SettingError(
          error.code === 'EADDRINUSE'
            ? `PORT ${port} on ${host} is taken; set PORT to another one`
            : `cannot listen on ${host}:${port}: ${error.message}`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
