import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const help = `Puts small faults (mutants) into the code one by one and runs the tests beside it. A mutant that no test
finds has survived, and is printed with its file and line.

  npm run mutate -- shared/files
  npm run mutate -- shared/people --tests test/functions/contact
  npm run mutate -- shared/dialing/pace --tests test/shared/dialing --minutes 30
  npm run mutate -- shared/tasks --tests test/functions --one-of 20

  --tests A,B   further folders or files of tests; those beside the code, if there are any, always run
  --one-of N    tries one mutant of N, chosen by chance: the share that is found, in a fraction of the time
  --seed S      chooses others, 1 by default
  --minutes N   stops after N minutes and prints what was found until then, 15 by default
`;

type Tried = { status: string; file: string; line: number; mutatorName: string; replacement?: string };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string', default: '' },
    'one-of': { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '15' },
    help: { type: 'boolean', short: 'h' },
  },
});

/** The tests of a folder, or of the folder of a file. */
const testsIn = (path: string) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`);
const besides = (code: string): string[] => {
  const top = `test/${code.split('/')[0]}`;
  for (let folder = `test/${code.replace(/\.ts$/, '')}`; folder !== top; folder = path.dirname(folder)) {
    if (existsSync(`${folder}.test.ts`)) return [`${folder}.test.ts`];
    if (existsSync(folder)) return [folder];
  }
  return [];
};

const optionsFor = (code: string, folder: string, minutes: number) => ({
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutate.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', path.resolve('scripts/mutation-plugins.mjs')],
  mutate: [code.endsWith('.ts') ? code : `${code}/**/*.ts`],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // The default is five seconds. On a busy machine, tests that are only slow would count as found.
  timeoutMS: 60_000,
  // The default is five, which is too few for the tests of a large folder on a busy machine.
  dryRunTimeoutMinutes: minutes,
  reporters: ['lines'],
  checkers: ['sample'],
  tempDirName: path.join(folder, 'sandbox'),
});

/**
 * Runs Stryker in a process group of its own, so that all of it can be stopped.
 * @returns every mutant that was tried
 */
const runStryker = async (config: string, code: string, tests: string, minutes: number) => {
  const stryker = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', config];
  const sample = { MUTATE_ONE_OF: values['one-of'], MUTATE_SEED: values.seed };
  const env = { ...process.env, ...sample, MUTATE_CODE: code, MUTATE_TESTS: tests };
  const child = spawn(process.execPath, stryker, {
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), minutes * 60_000);
  const tried: Tried[] = [];
  const errors: string[] = [];
  let mutants = 0;
  for await (const line of createInterface(child.stdout)) {
    const [, found] = /^#mutant (.*)/.exec(line) ?? [];
    if (found === undefined) {
      if (/ERROR/.test(line)) errors.push(line);
      continue;
    }
    const each = JSON.parse(found) as Tried & { mutants?: number };
    if (each.mutants !== undefined) mutants = each.mutants;
    else tried.push({ ...each, file: path.relative(process.cwd(), each.file) });
  }
  clearTimeout(timer);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return { tried, mutants };
};

/** A mutant because of which the tests do not end is found too. */
const isTimeout = ({ status }: Tried) => status === 'Timeout';
const isKilled = (mutant: Tried) => mutant.status === 'Killed' || isTimeout(mutant);
const isSurvivor = ({ status }: Tried) => status === 'Survived' || status === 'NoCoverage';

const mutate = async (code: string): Promise<void> => {
  if (!existsSync(code)) throw new Error(`there is no ${code}`);
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not "${values.minutes}"`);
  if (!/^[1-9]\d{0,5}$/.test(values['one-of']))
    throw new Error(`--one-of must be a whole number above 0, not "${values['one-of']}"`);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'outbound-mutants-'));
  try {
    const config = path.join(folder, 'stryker.json');
    writeFileSync(config, JSON.stringify(optionsFor(code, folder, minutes)));
    const more = values.tests === '' ? [] : values.tests.split(',');
    const tests = [...besides(code), ...more].map(testsIn).join();
    if (tests === '') throw new Error(`there are no tests beside ${code}; name some with --tests`);
    const { tried, mutants } = await runStryker(config, code, tests, minutes);
    const print = (what: string, { file, line, mutatorName, replacement = '' }: Tried) =>
      console.log(`${what}  ${file}:${line}  ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ')}`);
    for (const each of tried.filter(isTimeout)) print('timed out', each);
    for (const each of tried.filter(isSurvivor)) print('survived', each);
    const killed = tried.filter(isKilled).length;
    const survived = tried.filter(isSurvivor).length;
    const left = mutants - tried.length;
    console.log(
      `${code}: ${killed} killed, ${survived} survived, ${left} of ${mutants} not tried within ${minutes} minutes`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

if (values.help || positionals.length !== 1) {
  process.stdout.write(help);
  process.exitCode = values.help ? 0 : 2;
} else {
  try {
    await mutate(positionals[0]!.replace(/\/$/, ''));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 2;
  }
}
