import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const door = /^shared\/.*\/(index|rules|routes)\.ts$/;
const passedOn = /^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm;
const passedOnWhole = /^export \* from '([^']+)';$/gm;
const exported = /^export (?:async )?(?:const|class|function\*?|type) (\w+)/gm;
const imported = /^import (type )?\{([^}]*)\} from '(\.[^']+)';$/gm;
const namesIn = (list: string) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The file behind a door that has a name, by the name. A door may have names of its own, which are not among them. */
const behind = (file: string): Map<string, string> => {
  const found = new Map<string, string>();
  const text = readFileSync(file, 'utf8');
  const behindIt = (from: string) => path.join(path.dirname(file), from);
  for (const [, names = '', from = ''] of text.matchAll(passedOn))
    for (const name of namesIn(names)) found.set(name.replace(/^type /, ''), behindIt(from));
  for (const [, from = ''] of text.matchAll(passedOnWhole))
    for (const [, name = ''] of readFileSync(behindIt(from), 'utf8').matchAll(exported))
      found.set(name, behindIt(from));
  return found;
};

/**
 * Imports lead past the doors of the rooms. esbuild gives a shared file to each function that imports a door to it, whether
 * the function uses the file or not: a function that pauses a task would read the signatures of webhooks at its start.
 * Every import stays on its lines, so that a trace names the right ones.
 */
export const throughDoors = (repository: string): Plugin => ({
  name: 'through-doors',
  setup: ({ onLoad }) => {
    const doors = new Map<string, Map<string, string>>();
    const filesBehind = (file: string) => {
      const known = doors.get(file) ?? behind(file);
      doors.set(file, known);
      return known;
    };
    onLoad({ filter: /\/(functions|shared)\/.*\.ts$/ }, async ({ path: file }) => {
      const folder = path.dirname(file);
      const text = await readFile(file, 'utf8');
      const contents = text.replace(imported, (whole, isType = '', names: string, from: string) => {
        const target = path.join(folder, from);
        if (!door.test(path.relative(repository, target)) || !existsSync(target)) return whole;
        const parts = namesIn(names).map((given) => {
          const name = given.replace(/^type /, '');
          const kind = isType || name !== given ? 'import type' : 'import';
          const [own = ''] = name.split(' as ');
          return `${kind} { ${name} } from '${filesBehind(target).get(own) ?? target}';`;
        });
        return parts.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
      });
      return { contents, loader: 'ts' };
    });
  },
});
