import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { programOf } from './program.ts';

const root = path.join(import.meta.dirname, '../../..');
const startTimeoutMs = 300_000;

type Environment = Record<string, string>;
type Ended = { code: number | null; stdout: string; stderr: string };

const launch = async (file: string, args: readonly string[], env: Environment): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [await programOf(file), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
};

const collected = (child: ChildProcess) => {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return output;
};

/** A command of the project run to its end. */
export const run = async (file: string, args: readonly string[], env: Environment): Promise<Ended> => {
  const child = await launch(file, args, env);
  const output = collected(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
};

export type ServiceProcess = {
  url: string;
  /** Everything it has printed, its log included. */
  printed: () => string;
  end: (signal: NodeJS.Signals) => Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

/**
 * The service as `npm start` runs it, on a free port unless one is given; it ends with the test.
 */
export const startProcess = async (env: Environment): Promise<ServiceProcess> => {
  const child = await launch('local/main.ts', [], { PORT: '0', ...env });
  const output = collected(child);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const deadline = Date.now() + startTimeoutMs;
  while (!/Try it:\n(?: .*\n)+/.test(output.stdout)) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`it did not start: ${output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: /The service is up: +(\S+)/.exec(output.stdout)?.[1] ?? '',
    printed: () => output.stdout + output.stderr,
    end: async (wanted) => {
      child.kill(wanted);
      const [code, signal] = await exited;
      return { code, signal };
    },
  };
};

/** A folder that goes with the test. */
export const aDataDir = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'service-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
