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
} from '../../shared/http/site.ts';

/** The first part of every address of the page: whatever else is asked for is the API's to answer. */
const pages = new Set(['', 'tasks', 'sources', 'import', 'do-not-call', 'compare', 'assets']);

export type ConsoleSite = {
  /** Builds the page if need be, in a process of its own: nobody who calls the API waits for it. */
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

/** The operator's page at the root of the local service. */
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
