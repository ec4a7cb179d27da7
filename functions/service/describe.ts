import manifest from '../../package.json' with { type: 'json' };
import * as checks from '../../shared/api/generated/describeService.js';
import { describeService as route } from '../../shared/api/routes/service.ts';
import { maxRows } from '../../shared/domain/imports/import-options.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onFirstEvent } from '../../shared/runtime/first-event.ts';
import { readEnvironment, type ServiceSettings, serviceSettings } from '../../shared/settings/environment.ts';

export const describeService = ({ settings }: { settings: ServiceSettings }) =>
  endpoint(route, checks, async () => {
    const { timeZone, country, callingHours, maxConcurrentCalls, maxCallsPerNumberPerDay, importMaxRows } =
      settings;
    return {
      version: manifest.version,
      timeZone,
      country: country || null,
      callingHours: callingHours ? `${callingHours.start}-${callingHours.end}` : null,
      maxConcurrentCalls: maxConcurrentCalls || null,
      maxCallsPerNumberPerDay: maxCallsPerNumberPerDay || null,
      importMaxRows,
      batchImportMaxRows: maxRows,
    };
  });

export const handler = onFirstEvent(() =>
  describeService({ settings: serviceSettings(readEnvironment(route.access)) }),
);
