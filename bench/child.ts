import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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

/** The message that the process sends before it ends. @throws Error when it ends without a message */
export const resultOf = async <T>(child: ChildProcess): Promise<T> => {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the benchmark ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return message as T;
};
