import type { ZoneRules } from '../../../shared/platform/time/zone-table.ts';
import { settings } from './page-settings.ts';

/**
 * The zones that the console knows. In the console `shared/platform/time/zones.ts` reads this table, not its own (vite.config.ts): it
 * begins with the zone of the service, which came with the page, so that a first visit does not load all zones.
 */
export let zoneTable: readonly ZoneRules[] = [settings.zone];

export const loadZones = async (): Promise<void> => {
  ({ zoneTable } = await import('../../../shared/platform/time/zone-table.ts'));
};

/** To be awaited before times in the zones of these tasks are computed. */
export const loadZonesOf = async (tasks: readonly { timeZone: string }[]): Promise<void> => {
  if (tasks.some(({ timeZone }) => timeZone !== settings.timeZone)) await loadZones();
};
