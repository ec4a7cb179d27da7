import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

const isNewEnough = 'import sys; sys.exit(sys.version_info < (3, 9))';

/** `PYTHON=required` fails the run where there is none. */
export const hasPython = spawnSync('python3', ['-c', isNewEnough]).status === 0;

if (!hasPython) {
  const words = 'Tests of the Python examples left out: no Python 3.9 on this machine';
  if (process.env.PYTHON === 'required') throw new Error(words);
  console.log(words);
}

export type Running = {
  child: ChildProcess;
  /** The lines it has printed so far. */
  lines: string[];
  stderr: () => string;
  ended: Promise<number | null>;
};

/** Runs python3 in that folder. It ends with the test. */
export const startPython = (args: readonly string[], cwd: string, env: Record<string, string>): Running => {
  const child = spawn('python3', args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: examples, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, lines, stderr: () => stderr, ended };
};

/** Runs it to its end. @throws with what it said, unless it succeeds */
export const runPython = async (...run: Parameters<typeof startPython>): Promise<string[]> => {
  const { ended, lines, stderr } = startPython(...run);
  const code = await ended;
  if (code !== 0) throw new Error(`code ${code}: ${stderr()}`);
  return lines;
};
