import { onTestFinished } from 'vitest';
import type { Arrival } from '../../../local/objects/arrivals.ts';
import { openLocalObjects } from '../../../local/objects/local-objects.ts';
import { aFolder } from './object-store.ts';

type Settings = {
  dataDir?: string;
  now?: () => number;
  onArrived?: (arrival: Arrival) => Promise<void> | void;
};

/** Files rest soon. */
const fastClock = () => Date.now() * 100;

/**
 * The objects of local mode in a folder, without the service around them; closed after the test.
 */
export const aLocalStore = async ({ dataDir, now = fastClock, onArrived = () => {} }: Settings = {}) => {
  const folder = dataDir ?? (await aFolder());
  const store = await openLocalObjects({
    dataDir: folder,
    origin: '',
    accessToken: 'secret',
    now,
    scanMs: 10,
  });
  store.start(onArrived);
  onTestFinished(store.close);
  return { ...store, folder };
};
