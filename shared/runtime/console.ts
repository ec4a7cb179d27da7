import { fileURLToPath } from 'node:url';
import { loadSite, type PageSettings, type Site } from '../http/site.ts';
import { setting } from '../settings/environment.ts';
import { onStreamingRuntime } from './on-runtime.ts';

export type ConsoleRuntime = { site: () => Promise<Site>; settings: PageSettings };

/** Of the multipart road through API Gateway, with room for the rest of the form. */
const formLimit = 4_000_000;

/** Beside the bundle: this module is part of it. */
const siteFolder = () => fileURLToPath(new URL('./site/', import.meta.url));

const lambdaSettings = (): PageSettings => {
  const baseUrl = setting('SIGN_IN_URL');
  const clientId = setting('SIGN_IN_CLIENT_ID');
  const uploadOrigin = setting('UPLOAD_ORIGIN');
  return {
    timeZone: setting('SERVICE_TIME_ZONE'),
    formLimit,
    ...(baseUrl && clientId ? { signIn: { baseUrl, clientId } } : {}),
    ...(uploadOrigin ? { uploadOrigin } : {}),
  };
};

const lambdaRuntime = (): ConsoleRuntime => {
  const loading = loadSite(siteFolder());
  return { site: () => loading, settings: lambdaSettings() };
};

/** Streamed: what is zipped passes API Gateway byte for byte. */
export const onConsoleLambda = onStreamingRuntime(lambdaRuntime);
