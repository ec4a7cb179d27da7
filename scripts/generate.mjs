// Writes the files that are generated from the route table, unless they are up to date.
// Plain JavaScript, so that finding them up to date does not wait for the bundler.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** All inputs of the outputs, including the versions of the libraries that make them. */
const inputs = ['scripts', 'shared', 'package.json', 'package-lock.json'];
const outputs = ['shared/app/generated', 'client/generated', 'docs/openapi.json'];
const stamp = join(root, '.cache/generated.json');

const filesBelow = (path) => {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`));
};

const digestOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
};

const isOutput = (file) => outputs.some((output) => file.startsWith(output));
const made = (from) => JSON.stringify({ inputs: from, outputs: digestOf(outputs.flatMap(filesBelow)) });

const written = () => {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return '';
  }
};

// Read before the outputs are written, so that the next run sees inputs that change meanwhile.
const from = digestOf(inputs.flatMap(filesBelow).filter((file) => !isOutput(file)));
if (written() !== made(from)) {
  const { bundle } = await import('./bundle.mjs');
  const { status } = spawnSync(process.execPath, [await bundle('scripts/make-generated.ts')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the generated files could not be written');
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(`${stamp}.${process.pid}`, made(from));
  renameSync(`${stamp}.${process.pid}`, stamp);
}
