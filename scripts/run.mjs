// `node scripts/run.mjs local/main.ts --option` starts a program of the project, with its generated
// files up to date.
import { pathToFileURL } from 'node:url';

const [entry, ...args] = process.argv.slice(2);
// Shown before anything is loaded, because the start takes a second, and the first one longer.
if (entry === 'local/main.ts') process.stdout.write('Starting ...\n');
await import('./generate.mjs');
const { bundle } = await import('./bundle.mjs');
const file = await bundle(entry);
process.setSourceMapsEnabled(true);
process.argv.splice(1, process.argv.length, file, ...args);
await import(pathToFileURL(file).href);
