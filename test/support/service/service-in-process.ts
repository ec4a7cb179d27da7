import { serve } from '../../../local/service.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { openDiskTable } from '../engines/disk-table.ts';
import { crashAt } from './crash-point.ts';

/**
 * Run as a process of its own, to be killed or measured. Arguments: data folder, `IMPORT_MAX_ROWS`,
 * where to crash.
 */
const [dataDir = '', importMaxRows, crashAtCall] = process.argv.slice(2);
const { client, database } = await openDiskTable(dataDir);
if (crashAtCall) crashAt(client, Number(crashAtCall));
const settings = {
  port: 0,
  host: '127.0.0.1',
  dataDir,
  accessToken: 'local-dev-token',
  ...serviceSettings(importMaxRows ? { IMPORT_MAX_ROWS: importMaxRows } : {}),
};
const { url } = await serve(settings, database);
process.stdout.write(`${url}\n`);
