import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { canMeasure, forgetPeak, memoryNow, peakMemory } from '../test/support/service/process-usage.ts';

const quiet = ['--no-warnings'];
const runner = new URL('../scripts/run.mjs', import.meta.url);

/** Runs a module of the benchmark in its own process. */
export const forked = (
  module: URL,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): ChildProcess =>
  fork(fileURLToPath(runner), [fileURLToPath(module), ...args], {
    execArgv: [...quiet, ...nodeOptions],
    // Its standard output is the log of the service, which is not part of the figures.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

/** The next message of the process. @throws Error if it ends without a message */
export const resultOf = async <T>(child: ChildProcess): Promise<T> => {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the benchmark ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return message as T;
};

const functionRunner = fileURLToPath(new URL('function.mjs', import.meta.url));

/** A deployed function in its own process, from the folder of its bundle. */
export const startFunction = async (folder: string, environment: Record<string, string>) => {
  const child = fork(functionRunner, [path.join(folder, 'index.mjs')], {
    env: environment,
    execArgv: quiet,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await resultOf(child);
  const pid = child.pid ?? 0;
  const invoke = (event: object, timeoutMs: number): Promise<number> => {
    child.send({ event, timeoutMs });
    return resultOf(child);
  };
  /** Seconds of the work, and the memory of the process before it and at its peak (Linux only). */
  const measured = async (work: () => Promise<unknown>) => {
    const before = canMeasure ? memoryNow(pid) : undefined;
    if (canMeasure) forgetPeak(pid);
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1000;
    return { seconds, before, peak: canMeasure ? peakMemory(pid) : undefined };
  };
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { invoke, measured, stop };
};
