import manifest from '../../package.json' with { type: 'json' };
import * as checks from '../../shared/app/generated/describeService.js';
import { onFirstEvent } from '../../shared/app/runtime/first-event.ts';
import { describeService as route } from '../../shared/insight/routes/service.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { maxRows } from '../../shared/platform/rules/files.ts';
import {
  readEnvironment,
  type ServiceSettings,
  serviceSettings,
} from '../../shared/platform/settings/settings.ts';
import { timeZoneData } from '../../shared/platform/time/zone-table.ts';

export const describeService = ({ settings }: { settings: ServiceSettings }) =>
  endpoint(route, checks, async () => {
    const { timeZone, country, callingHours, maxConcurrentCalls, maxCallsPerNumberPerDay } = settings;
    const { callLimits, restAfterSuccess, importMaxRows } = settings;
    return {
      version: manifest.version,
      timeZone,
      timeZoneData,
      country: country || null,
      callingHours: callingHours ? `${callingHours.start}-${callingHours.end}` : null,
      maxConcurrentCalls: maxConcurrentCalls || null,
      maxCallsPerNumberPerDay: maxCallsPerNumberPerDay || null,
      callLimits: [...callLimits],
      restAfterSuccess,
      importMaxRows,
      batchImportMaxRows: maxRows,
    };
  });

export const handler = onFirstEvent(() =>
  describeService({ settings: serviceSettings(readEnvironment(route.access)) }),
);
