import { keys } from '../../../shared/platform/table/keys.ts';
import type { Snapshot, World } from './world.ts';

const id = /[0-9a-hjkmnp-tv-z]{16}/g;
const nonceOfCall = /(?<=-[0-9a-z]{1,8}-)[0-9a-hjkmnp-tv-z]{10}/g;
/** What stands for one lease, one runner, or one state of the roster. */
const drawn = /"(?:nonce|owner)":\{"S":"[^"]+"\}|"v":\{"N":"\d{9,}"\}/g;

/**
 * Everything that outlives a process, as one text. What is drawn by lot is left out of it, and so
 * are kept answers, which only the same request again reads: worlds that differ in nothing else go
 * on in the same way.
 */
export const stateOf = async (world: World, before: Snapshot): Promise<string> => {
  const { items, objects, started, time } = await world.snapshot();
  const known = new Set(JSON.stringify(before.items).match(id));
  const plain = (part: unknown) =>
    JSON.stringify(part)
      .replaceAll(id, (found) => (known.has(found) ? found : 'ID'))
      .replaceAll(nonceOfCall, '')
      .replaceAll(drawn, '');
  const others = items.filter(({ pk }) => !String(pk?.S).startsWith(keys.storedAnswer('').pk));
  const files = objects.map(({ key, bytes }) => [key, Buffer.from(bytes).toString('latin1')]);
  const rest = [time, started, world.published].map(plain);
  return [...rest, ...files.map(plain).sort(), ...others.map(plain).sort()].join('\n');
};
