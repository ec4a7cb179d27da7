import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { programOf } from '../support/service/program.ts';

it('npm run demo takes 200 contacts through a task and shows what came of it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    await programOf('local/simulation/demo.ts'),
  ]);
  expect(stdout).toMatch(/Imported {3}200 contacts/);
  expect(stdout).toMatch(/Spring survey .* 200\/200 done .* COMPLETED/);
  const counts = [
    ...stdout.matchAll(/^ {2}(success|no answer|failed|reached|given up) .* (\d+) +[\d.]+ %$/gm),
  ];
  const count = Object.fromEntries(counts.map(([, label, number]) => [label, Number(number)]));
  const calls = Number(/^(\d+) calls, simulated/m.exec(stdout)?.[1]);
  expect(count.success + count['no answer'] + count.failed).toBe(calls);
  // A contact that agreed on a callback is called again, also after a success.
  expect(count.reached).toBeLessThanOrEqual(count.success);
  expect(count.reached).toBeGreaterThan(100);
  expect(stdout).toMatch(/Not answered: \d+ busy, \d+ voicemail, \d+ switched off/);
  expect(count.reached + count['given up']).toBe(200);
  expect(stdout).toMatch(/Answered: [1-9]\d* Interested, [1-9]\d* Not interested, .*\d Wants no calls/);
});
