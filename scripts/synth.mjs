// `npm run synth` writes the template of a stage. It needs no AWS account.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const begun = Date.now();
process.stdout.write('Bundling the functions and making the template, about a minute ...\n');
const cdk = join(import.meta.dirname, '../node_modules/aws-cdk/bin/cdk');
const { status } = spawnSync(process.execPath, [cdk, 'synth', '--quiet', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
if (status === 0) {
  const templates = readdirSync('cdk.out').filter((name) => name.endsWith('.template.json'));
  const seconds = Math.round((Date.now() - begun) / 1000);
  process.stdout.write(`Done in ${seconds} s: ${templates.map((name) => `cdk.out/${name}`).join(', ')}\n`);
}
