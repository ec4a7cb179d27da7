import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Carries AWS's DynamoDB Local with its native libraries; fetched, never depended on. */
const carrier = 'amplify-dynamodb-simulator@2.9.30';
const cache = join(import.meta.dirname, '../../../.cache/dynamodb-local');
const emulator = join(cache, carrier, 'emulator');
/** The jar's classes are Java 8's. */
const minJava = 8;
/**
 * It lives for minutes, too short for optimising compilers and parallel collectors to pay: half the
 * CPU time.
 */
const thrifty = ['-Xmx1g', '-Xmn256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const fetchTimeoutMs = 300_000;
const startTimeoutMs = 120_000;

export type DynamoDbLocal = { endpoint: string; stop(): Promise<void> };

const javaVersion = async (): Promise<number> => {
  try {
    const { stderr } = await run('java', ['-version']);
    return Number(/version "(?:1\.)?(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Unpacked apart and moved into place as one, so that a broken or a second run leaves no half. */
const fetchEmulator = async (): Promise<void> => {
  if (existsSync(emulator)) return;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'fetch-'));
  try {
    const pack = ['pack', carrier, '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, {
      timeout: fetchTimeoutMs,
      shell: process.platform === 'win32',
    });
    await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', folder]);
    await rename(join(folder, 'package'), join(cache, carrier));
  } catch (error) {
    if (!existsSync(emulator)) throw new Error(`${carrier} could not be fetched`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

const answers = async (endpoint: string): Promise<boolean> => {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(10_000) });
    return true;
  } catch {
    return false;
  }
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const start = async (): Promise<DynamoDbLocal> => {
  const port = await freePort();
  const library = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const server = spawn(
    'java',
    [...thrifty, ...library, '-inMemory', '-disableTelemetry', '-port', String(port)],
    // Without this it makes ready to report its use, for a third of its start, though it is told
    // not to.
    { cwd: emulator, stdio: 'ignore', env: { ...process.env, DDB_LOCAL_TELEMETRY: '0' } },
  );
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (hasEnded(server)) return;
    const ended = once(server, 'exit');
    kill();
    await ended;
  };
  const endpoint = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline && !hasEnded(server); ) {
    if (await answers(endpoint)) return { endpoint, stop };
    await sleep(100);
  }
  await stop();
  throw new Error(`it did not answer on port ${port} within ${startTimeoutMs / 1000} s`);
};

/** One in-memory process of AWS's own engine. @throws Error saying why there is none */
export const startDynamoDbLocal = async (): Promise<DynamoDbLocal> => {
  if ((await javaVersion()) < minJava) throw new Error(`there is no Java ${minJava} or later`);
  await fetchEmulator();
  return start();
};
