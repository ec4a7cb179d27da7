import { maxRows, megabytesFor } from '../../../shared/platform/rules/files.ts';
import type { ZoneRules } from '../../../shared/platform/time/zone-table.ts';

/** What the server says about itself in the page it serves; see shared/platform/http/site.ts. */
type PageSettings = {
  timeZone: string;
  /** The rules of that zone. */
  zone: ZoneRules;
  /** Of numbers without +; empty or absent: none. */
  country?: string;
  /** `HH:MM-HH:MM`: no task calls outside. */
  callingHours?: string;
  /** Calls of all tasks at the same time; 0 or absent: any number. */
  maxConcurrentCalls?: number;
  importMaxRows?: number;
  signIn?: { baseUrl: string; clientId: string };
  sample?: true;
  formLimit?: number;
  uploadOrigin?: string;
};

const meta = document.querySelector('meta[name="console-settings"]');

export const settings: PageSettings = {
  ...{ timeZone: 'UTC', zone: { names: 'UTC', offset: 0 } },
  ...JSON.parse(meta?.getAttribute('content') || '{}'),
};

const [start = '', end = ''] = settings.callingHours?.split('-') ?? [];
/** The hours of the service, outside which no task calls; absent: at any hour. */
export const callingHours = end === '' ? undefined : { start, end };

const rows = settings.importMaxRows ?? maxRows;
/** The largest file that can be imported. */
export const importLimit = { rows, megabytes: megabytesFor(rows) };

/** Where the page lives, without a slash at its end: empty, or such as `/dev/console`. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Where the API answers: beside the page. */
export const apiBase = `${location.origin}${basePath.replace(/\/console$/, '')}`;
