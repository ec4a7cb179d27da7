/**
 * Checks what the compiler cannot see: whether each endpoint and each task setting is in all its
 * places. Part of `npm run check`. Each line names the file to open.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { allRoutes } from '../shared/app/all-routes.ts';
import { taskSettings } from '../shared/tasks/rules/task-settings.ts';

const contentOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The endpoints that a table lists. `POST /api/task/add`, `/update` are two of the same folder. */
const listedIn = (table: string): Set<string> => {
  const listed = new Set<string>();
  for (const [, row = ''] of table.matchAll(/^\| (`(?:GET|POST) .*?) \|/gm)) {
    const [first = '', ...others] = [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const [method, address = ''] = first.split(' ');
    const paths = others.map((other) =>
      other.startsWith('/api/') ? other : `${path.posix.dirname(address)}${other}`,
    );
    for (const each of [address, ...paths]) listed.add(`${method} ${each}`);
  }
  return listed;
};

const missing: string[] = [];
const expect = (isThere: boolean, file: string, what: string): void => {
  if (!isThere) missing.push(`${file}: ${what}`);
};

const guide = 'docs/api.md';
const posts = 'test/support/service/post-scenarios.ts';
const scenarios = contentOf(posts);
const listed = listedIn(contentOf(guide));
const addresses = new Set<string>(allRoutes.map((route) => `${route.method} ${route.path}`));
for (const { id, file, method, path: address } of allRoutes) {
  const functionFile = `functions/${file}.ts`;
  const code = contentOf(functionFile);
  expect(code.includes(`export const ${id} =`), functionFile, `export the endpoint ${id}`);
  expect(code.includes('export const handler ='), functionFile, `export the handler of ${id} for AWS`);
  const isTried = method === 'GET' || scenarios.includes(`  ${id}: `);
  expect(isTried, posts, `add a request that makes ${id} do something`);
  expect(listed.has(`${method} ${address}`), guide, `list ${method} ${address} (${id}) among the endpoints`);
}
for (const each of listed) expect(addresses.has(each), guide, `${each} is no endpoint`);

/**
 * The install scripts of these packages were read. esbuild and classic-level look for the binary
 * of this machine. The package @scarf/scarf reports the installation to its maker, unless
 * `scarfSettings` of package.json says no.
 */
const readScripts = ['@scarf/scarf', 'classic-level', 'esbuild'];
const lock = 'package-lock.json';
type Locked = { packages: Record<string, { hasInstallScript?: true }> };
for (const [folder, { hasInstallScript }] of Object.entries(
  (JSON.parse(contentOf(lock)) as Locked).packages,
)) {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const isRead = hasInstallScript === undefined || readScripts.includes(name);
  expect(isRead, lock, `${name} runs a script at npm ci: read it, and list it in check-completeness.ts`);
}

const settingsPage = 'docs/api-tasks.md';
const words = 'console/src/i18n/setting-words.ts';
const screen = 'console/src/parts/settings/settings.tsx';
const [, form = ''] = contentOf(screen).split('export const openSettings');
for (const name of Object.keys(taskSettings).filter((each) => each !== 'taskDesc')) {
  expect(contentOf(settingsPage).includes(`\`${name}\``), settingsPage, `describe the input ${name}`);
  expect(contentOf(words).includes(`${name}:`), words, `say what the setting ${name} is called`);
  expect(form.includes(`'${name}'`), screen, `show the setting ${name}, open or in a group`);
}

for (const line of missing) process.stderr.write(`${line}\n`);
process.exitCode = missing.length > 0 ? 1 : 0;
