import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { appendEvents } from '../functions/events/append-events.ts';
import { deliverEvents } from '../functions/events/deliver-events.ts';
import { doDueFileWork } from '../functions/events/do-due-file-work.ts';
import { doDueWork } from '../functions/events/do-due-work.ts';
import { importFile } from '../functions/events/import-file.ts';
import { publishEvents } from '../functions/events/publish-events.ts';
import { migrate } from '../shared/app/migrations.ts';
import type { ListingRuntime } from '../shared/app/runtime/events.ts';
import { withFiles } from '../shared/app/runtime/files.ts';
import { createRuntime } from '../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../shared/app/runtime/webhooks.ts';
import { mayMakeEvents } from '../shared/events/changes-with-events.ts';
import { Deliverer } from '../shared/events/deliverer.ts';
import { Receivers } from '../shared/events/receiver.ts';
import { setUpTable } from '../shared/platform/table/data-format.ts';
import { Database } from '../shared/platform/table/database.ts';
import type { Instant } from '../shared/platform/time/time.ts';
import { consoleSite } from './console/console-site.ts';
import { Sample, sampleDoor } from './console/sample.ts';
import { makeFolder } from './disk.ts';
import { embeddedClient } from './dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from './dynamodb/embedded-dynamodb.ts';
import { ensureTable } from './dynamodb/ensure-table.ts';
import { busInLog, startDeliveryFeed, startEventFeed } from './feeds.ts';
import {
  assertFolderFormat,
  dataDamage,
  dataLoss,
  keepTableRecord,
  recordNewFolder,
  recordTable,
} from './folder-format.ts';
import { documentation } from './gateway/documentation.ts';
import { loadFunctions } from './gateway/functions.ts';
import { gateway } from './gateway/gateway.ts';
import { ownHosts } from './gateway/own-hosts.ts';
import { answerBrokenHttp, listening, stopped } from './gateway/server.ts';
import { openLocalObjects } from './objects/local-objects.ts';
import { startChecking, startDueFileWork, startDueWork, startExpiring } from './schedules.ts';
import { developmentToken, inMemory, SettingError, type Settings } from './settings.ts';
import { localVerifier } from './tokens/local-tokens.ts';

export type Service = {
  url: string;
  /** Builds the console if its sources have changed, before anybody opens it. */
  prepareConsole: () => Promise<unknown>;
  close: () => Promise<void>;
};

const tableName = 'outbound';
const requestTimeout = 120_000;
/**
 * Longer than clients keep a connection for their next request, so that no client uses a connection
 * that was just closed.
 */
const keepAliveTimeout = 75_000;

/** What the user can do about damaged data. */
const afterLoss = 'restore the folder from a backup, or set DATA_LOSS=accept to start with what is left';

const prepareFolder = async ({ dataDir, acceptsDataLoss }: Settings): Promise<void> => {
  await assertFolderFormat(dataDir);
  const loss = acceptsDataLoss ? undefined : await dataLoss(dataDir);
  if (loss !== undefined) throw new Error(`${loss}; ${afterLoss}`);
  await makeFolder(dataDir);
  await recordNewFolder(dataDir);
};

/** @throws SettingError if the folder cannot be used */
const openDatabase = async (settings: Settings) => {
  const { dataDir } = settings;
  try {
    if (dataDir !== inMemory) await prepareFolder(settings);
    const record = dataDir === inMemory ? undefined : keepTableRecord(dataDir);
    let onChanged = () => {};
    const dynamoDb = await openEmbeddedDynamoDb({
      path: within(dataDir, 'dynamodb'),
      isStreamed: mayMakeEvents,
      isForced: settings.forcesWrites,
      onWritten: (changes) => {
        record?.note();
        if (changes.some(mayMakeEvents)) onChanged();
      },
    });
    const client = embeddedClient(dynamoDb);
    await ensureTable(client, tableName);
    const database = new Database(client, tableName);
    await setUpTable(database);
    await migrate(database);
    if (dataDir !== inMemory) await recordTable(dataDir);
    const close = async () => {
      await dynamoDb.close();
      await record?.close();
    };
    const feed = (runtime: ListingRuntime) => {
      const started = startEventFeed(dynamoDb.stream, [
        appendEvents(runtime),
        publishEvents({ ...runtime, bus: busInLog }),
      ]);
      onChanged = started.changed;
      return started;
    };
    return { database, removeExpired: dynamoDb.removeExpired, feed, close };
  } catch (error) {
    throw new SettingError(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
};

const within = (dataDir: string, name: string) =>
  dataDir === inMemory ? inMemory : path.join(dataDir, name);

/**
 * The whole service in this process. `onDamage` gets one line if a file of the table is found
 * damaged later.
 * @throws SettingError with one line for the user who started it
 */
export const startService = async (
  settings: Settings,
  now: () => Instant = Date.now,
  onDamage: (line: string) => void = () => {},
): Promise<Service> => {
  const { dataDir, acceptsDataLoss } = settings;
  const { database, removeExpired, feed, close } = await openDatabase(settings);
  try {
    const service = await serve(settings, database, now, { feed });
    const schedules = [startExpiring(removeExpired, now)];
    if (dataDir !== inMemory && !acceptsDataLoss)
      schedules.push(
        startChecking(
          () => dataDamage(dataDir),
          (problem) => onDamage(`DATA_DIR was damaged: ${problem}; ${afterLoss}`),
        ),
      );
    const stop = async () => {
      for (const schedule of schedules) await schedule.stop();
    };
    return { ...service, close: () => service.close().then(stop).finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * For a process that is the only one on its table: it takes over the work of earlier processes, and
 * reads the table's stream.
 */
type Sole = { feed: (runtime: ListingRuntime) => { stop: () => Promise<void> } };

/**
 * The API over a table that is open already, and stays open when the API is closed.
 * @throws SettingError
 */
export const serve = async (
  settings: Settings,
  database: Database,
  now: () => Instant = Date.now,
  sole?: Sole,
): Promise<Service> => {
  const server = createServer({ requestTimeout, keepAliveTimeout, requireHostHeader: false });
  const url = await listening(server, settings);
  const opening = openApi({ settings, database, url, now, sole });
  // A request that arrives before the service is open waits for it.
  const answer: RequestListener = async (request, response) => (await opening).handle(request, response);
  server.on('request', answer);
  answerBrokenHttp(server, answer);
  try {
    const { close, prepareConsole } = await opening;
    return {
      url,
      prepareConsole,
      close: () => stopped(server).then(close),
    };
  } catch (error) {
    server.close();
    throw error;
  }
};

type Behind = {
  settings: Settings;
  database: Database;
  url: string;
  now: () => Instant;
  sole: Sole | undefined;
};

/** Everything behind the address, which is part of upload addresses. */
const openApi = async ({ settings, database, url, now, sole }: Behind) => {
  const { dataDir, accessToken } = settings;
  // First, because a key that cannot be read ends the start, and the database is closed at once.
  const verify = await localVerifier(dataDir, accessToken);
  const files = await openLocalObjects({ dataDir, origin: url, accessToken, now }).catch((error: Error) => {
    throw new SettingError(`DATA_DIR cannot be used: ${error.message}`);
  });
  const objects = async () => files.objects;
  const isSole = sole !== undefined;
  const deliveries = startDeliveryFeed(isSole);
  const stores = createRuntime({ ...settings, now, isSole, allowsLoopback: true }, database);
  const runtime = { ...withWebhooks(withFiles(stores, { database, objects })), wakes: deliveries.wakes };
  const deliverer = new Deliverer({ ...runtime, receivers: new Receivers(runtime) });
  deliveries.use(deliverEvents({ deliverer }));
  const feed = sole?.feed(runtime);
  const fileWork = startDueFileWork(doDueFileWork(runtime), files);
  const work = startDueWork(doDueWork(runtime));
  const importArrived = importFile(runtime);
  files.start((object, isClosing) => {
    const left = { getRemainingTimeInMillis: () => (isClosing() ? 0 : Number.POSITIVE_INFINITY) };
    return fileWork.begun.then(() => importArrived({ detail: { object } } as never, left));
  });
  const { timeZone, country, importMaxRows, maxConcurrentCalls, callingHours: hours } = settings;
  const page = consoleSite({
    timeZone,
    country,
    importMaxRows,
    maxConcurrentCalls,
    ...(hours && { callingHours: `${hours.start}-${hours.end}` }),
    sample: true,
  });
  const sample = new Sample(url, accessToken);
  const handle = gateway({
    assertOwn: ownHosts(settings),
    functions: await loadFunctions(runtime),
    verify,
    documentation: documentation(accessToken === developmentToken ? accessToken : ''),
    console: page,
    sample: sampleDoor(sample, verify),
    takeUpload: files.takeUpload,
  });
  return {
    handle,
    prepareConsole: page.prepare,
    close: async () => {
      sample.stop();
      await Promise.all([fileWork.stop(), work.stop(), feed?.stop()]);
      await deliveries.stop();
      await files.close();
    },
  };
};
