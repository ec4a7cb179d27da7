import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startVitest } from 'vitest/node';

// Run as a process of its own. Argument: pairs of a condition and a test file that fails without it
// (JSON). Prints the places of those in the list that did fail. All run in one worker: a process
// for each would take most of its time to load.

const root = path.join(import.meta.dirname, '../../..');
const folder = path.join(root, '.cache/condition-proofs', String(process.pid));

/**
 * The test file once more, under a name of its own. What comes after its first failure is left out.
 */
const codeOf = (condition, file, at) => `
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { dropped } from ${JSON.stringify(path.join(root, 'test/support/faults/conditions.ts'))};
let hasFailed = false;
beforeAll(() => { dropped.condition = ${JSON.stringify(condition)}; });
afterAll(() => { dropped.condition = undefined; });
beforeEach(({ skip }) => { if (hasFailed) skip(); });
afterEach(({ task }) => { hasFailed ||= task.result?.state === 'fail'; });
await import(${JSON.stringify(`${path.join(root, file)}?proof=${at}`)});
`;

mkdirSync(folder, { recursive: true });
const proofs = JSON.parse(process.argv[2]);
for (const [at, [condition, file]] of proofs.entries())
  writeFileSync(path.join(folder, `${at}.test.ts`), codeOf(condition, file, at));
const vitest = await startVitest('test', [], {
  mode: 'all',
  run: true,
  include: [path.relative(root, path.join(folder, '*.test.ts'))],
  maxWorkers: 1,
  reporters: [{}],
  silent: true,
});
const failed = vitest.state
  .getTestModules()
  .filter((module) => [...module.children.allTests('failed')].length > 0)
  .map(({ moduleId }) => Number(path.basename(moduleId, '.test.ts')));
await vitest.close();
rmSync(folder, { recursive: true });
process.exitCode = 0;
process.stdout.write(`${JSON.stringify(failed)}\n`);
