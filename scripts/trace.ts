import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { bundleAll, sourceMapFolder } from '../lib/bundling/bundling.ts';
import { deployedFunctions } from '../lib/deployed-functions.ts';

/**
 * `npm run trace -- <function id> < trace.txt` prints a deployed function's stack trace with our
 * files and lines.
 */
const id = process.argv[2];
const deployed = deployedFunctions.find((each) => each.id === id);
if (deployed === undefined) {
  process.stderr.write(`usage: npm run trace -- <function id> < trace.txt; no function "${id ?? ''}"\n`);
  process.exit(1);
}

// The same commit makes the same bundle, and so the same map.
await bundleAll();

const mapOf = (file: string) => {
  const text = readFileSync(path.join(sourceMapFolder(), deployed.id, `${file}.map`), 'utf8');
  return new SourceMap(JSON.parse(text));
};

const position = /(?:file:\/\/)?[^\s()]*?([\w-]+\.mjs):(\d+):(\d+)/g;

const original = (text: string, file: string, line: string, column: string): string => {
  const found = mapOf(file).findEntry(Number(line) - 1, Number(column) - 1);
  if (!('originalSource' in found)) return text;
  return `${found.originalSource.replace(/^(\.\.\/)+/, '')}:${found.originalLine + 1}:${found.originalColumn + 1}`;
};

process.stdout.write(
  readFileSync(0, 'utf8')
    .replaceAll('\\n', '\n')
    .replace(position, (text, ...parts) => {
      try {
        return original(text, parts[0], parts[1], parts[2]);
      } catch {
        return text;
      }
    }),
);
