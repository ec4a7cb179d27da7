// Runs every `check:` script of package.json, one after another, and names those that failed at the
// end.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const stages = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
const failed = stages.filter(
  ([, command]) => spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0,
);
for (const [name, command] of failed) process.stderr.write(`failed: ${name} (${command})\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
