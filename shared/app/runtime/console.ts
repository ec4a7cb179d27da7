import { fileURLToPath } from 'node:url';
import type { Using } from '../../platform/api/route.ts';
import { loadSite, type PageSettings, type Site } from '../../platform/http/site.ts';
import { type Environment, readEnvironment } from '../../platform/settings/settings.ts';

export type ConsoleRuntime = { site: () => Promise<Site>; settings: PageSettings };

/** Bytes of the largest file in a form through API Gateway, with room for the rest of the form. */
const formLimit = 4_000_000;

/** Beside the bundle, which this file is a part of. */
const siteFolder = () => fileURLToPath(new URL('./site/', import.meta.url));

const pageSettings = (env: Environment<'service' | 'page'>): PageSettings => {
  const { SIGN_IN_URL: baseUrl, SIGN_IN_CLIENT_ID: clientId, UPLOAD_ORIGIN: uploadOrigin } = env;
  return {
    timeZone: env.SERVICE_TIME_ZONE,
    country: env.SERVICE_COUNTRY,
    importMaxRows: Number(env.IMPORT_MAX_ROWS),
    formLimit,
    maxConcurrentCalls: Number(env.MAX_CONCURRENT_CALLS),
    ...(env.CALLING_HOURS ? { callingHours: env.CALLING_HOURS } : {}),
    ...(baseUrl && clientId ? { signIn: { baseUrl, clientId } } : {}),
    ...(uploadOrigin ? { uploadOrigin } : {}),
  };
};

export const lambdaConsole = ({ access }: Using<'page'>): ConsoleRuntime => {
  const loading = loadSite(siteFolder());
  return { site: () => loading, settings: pageSettings(readEnvironment(access)) };
};
