import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtConsole, isConsoleBuilt } from '../../console/build.ts';
import {
  loadSite,
  type PageSettings,
  type Site,
  type SiteAnswer,
  siteAnswer,
} from '../../shared/platform/http/site.ts';

/** The first parts of the paths of the console. All other paths belong to the API. */
const pages = new Set([
  '',
  'tasks',
  'sources',
  'import',
  'do-not-call',
  'compare',
  'people',
  'service',
  'webhooks',
  'assets',
]);

export type ConsoleSite = {
  /**
   * Builds the console if it is not up to date, in a process of its own, so that API requests do
   * not wait for it.
   */
  prepare: () => Promise<unknown>;
  owns: (pathname: string) => boolean;
  answerTo: (pathname: string, acceptEncoding: string | undefined) => Promise<SiteAnswer | undefined>;
};

const runner = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url));

const built = async (): Promise<Site> => {
  if (!(await isConsoleBuilt()))
    await promisify(execFile)(process.execPath, [runner, 'local/console/build-console.ts']);
  return loadSite(await builtConsole());
};

/** The console at the root of the local service. */
export const consoleSite = (settings: PageSettings): ConsoleSite => {
  let site: Promise<Site> | undefined;
  const ready = () => {
    site ??= built().catch((error) => {
      site = undefined;
      throw error;
    });
    return site;
  };
  return {
    prepare: ready,
    owns: (pathname) => !pathname.startsWith('//') && pages.has(pathname.split('/')[1] ?? ''),
    answerTo: async (pathname, acceptEncoding) =>
      siteAnswer(await ready(), { path: pathname.slice(1), base: '/', acceptEncoding, settings }),
  };
};
