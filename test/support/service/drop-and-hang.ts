import { openLocalObjects } from '../../../local/objects/local-objects.ts';

/**
 * Run as a process of its own to be killed: imports of files that arrive never end. Argument: data
 * folder.
 */
const [dataDir = ''] = process.argv.slice(2);
const store = await openLocalObjects({ dataDir, origin: '', accessToken: 'secret', now: Date.now });
store.start((arrival) => {
  process.stdout.write(`${JSON.stringify(arrival)}\n`);
  return new Promise(() => {});
});
setInterval(() => {}, 1000);
