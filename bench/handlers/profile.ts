import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

type CallFrame = { functionName: string; url: string; lineNumber: number; columnNumber: number };
type Profile = {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
};

const parts: [name: string, pattern: RegExp][] = [
  ['embedded DynamoDB', /\/local\/(dynamodb|s3)\/|node_modules\/(dynalite|[\w-]*level)\//],
  ['local server', /\/local\//],
  ['our handlers and stores', /\/(shared|functions)\//],
  ['AWS SDK', /node_modules\/@(aws-sdk|smithy)\//],
  ['other libraries', /node_modules\//],
];

const maps = new Map<string, SourceMap | undefined>();

const sourceMapOf = (url: string): SourceMap | undefined => {
  if (!maps.has(url)) {
    const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return maps.get(url);
};

/** The source file of a frame: the program is a bundle with a source map beside it. */
const sourceOf = ({ url, lineNumber, columnNumber }: CallFrame): string => {
  const entry = sourceMapOf(url)?.findEntry(lineNumber, columnNumber);
  return entry !== undefined && 'originalSource' in entry ? entry.originalSource : url;
};

const partOf = (frame: CallFrame): string => {
  if (frame.functionName === '(idle)') return 'idle';
  if (frame.functionName === '(garbage collector)') return 'garbage collection';
  const source = sourceOf(frame);
  return parts.find(([, pattern]) => pattern.test(source))?.[0] ?? 'Node.js';
};

/** The share of busy time by part, from the profile that a process left in the folder. */
export const sharesIn = async (folder: string): Promise<[part: string, share: number][]> => {
  const spent = new Map<string, number>();
  // Each thread has its own profile. The largest is the server's.
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  const profile = JSON.parse(files.sort((a, b) => b.length - a.length)[0]!) as Profile;
  const nodes = new Map(profile.nodes.map((node) => [node.id, partOf(node.callFrame)]));
  profile.samples.forEach((id, i) => {
    const part = nodes.get(id) ?? 'Node.js';
    spent.set(part, (spent.get(part) ?? 0) + (profile.timeDeltas[i] ?? 0));
  });
  spent.delete('idle');
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent].map(([part, time]): [string, number] => [part, time / total]).sort((a, b) => b[1] - a[1]);
};
