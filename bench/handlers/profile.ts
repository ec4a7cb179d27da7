import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
};

const places: [name: string, pattern: RegExp][] = [
  ['embedded DynamoDB', /\/local\/(dynamodb|s3)\/|node_modules\/(dynalite|[\w-]*level)\//],
  ['local server', /\/local\//],
  ['our handlers and stores', /\/(shared|functions)\//],
  ['AWS SDK', /node_modules\/@(aws-sdk|smithy)\//],
  ['other libraries', /node_modules\//],
];

const placeOf = ({ functionName, url }: Profile['nodes'][number]['callFrame']): string => {
  if (functionName === '(idle)') return 'idle';
  if (functionName === '(garbage collector)') return 'garbage collection';
  return places.find(([, pattern]) => pattern.test(url))?.[0] ?? 'Node.js';
};

/** The share of busy time by place, from the profile that a process left in the folder. */
export const sharesIn = async (folder: string): Promise<[place: string, share: number][]> => {
  const spent = new Map<string, number>();
  // The module loader has a thread and a profile of its own; the largest is the server's.
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  const profile = JSON.parse(files.sort((a, b) => b.length - a.length)[0]!) as Profile;
  const nodes = new Map(profile.nodes.map((node) => [node.id, placeOf(node.callFrame)]));
  profile.samples.forEach((id, i) => {
    const place = nodes.get(id) ?? 'Node.js';
    spent.set(place, (spent.get(place) ?? 0) + (profile.timeDeltas[i] ?? 0));
  });
  spent.delete('idle');
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent]
    .map(([place, time]): [string, number] => [place, time / total])
    .sort((a, b) => b[1] - a[1]);
};
