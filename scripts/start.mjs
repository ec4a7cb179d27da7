// Says at once that it begins: what follows takes a few seconds, and more the first time.
process.stdout.write('Starting ...\n');
await import('./generate.mjs');
process.argv.splice(2, 0, 'local/main.ts');
await import('./run.mjs');
