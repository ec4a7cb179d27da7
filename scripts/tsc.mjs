// `npm run tsc` checks the types, `npm run tsc -- -p console` those of the console. The compiler
// runs only for seconds, and garbage collection would be a quarter of its work.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('@typescript/native/package.json')));
const { status } = spawnSync(process.execPath, [compiler, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, GOGC: 'off' },
});
process.exitCode = status ?? 1;
