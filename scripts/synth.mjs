// `npm run synth` writes the template of a stage. It needs no AWS account.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const begun = Date.now();
process.stdout.write('Bundling the functions and making the template in cdk.out, about a minute ...\n');
const cdk = join(import.meta.dirname, '../node_modules/aws-cdk/bin/cdk');
const { status } = spawnSync(process.execPath, [cdk, 'synth', '--quiet', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
if (status === 0) process.stdout.write(`Done in ${Math.round((Date.now() - begun) / 1000)} s\n`);
