import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { timeZoneData } from '../../../shared/platform/time/zone-table.ts';
import { succeeded, useApi } from '../../support/service/api.ts';

describe('the service', () => {
  describe('without rules', () => {
    const api = useApi();

    it('says so', async () => {
      expect(timeZoneData).toMatch(/^20\d\d[a-z]$/);
      expect(succeeded(await api.get('/api/service'))).toEqual({
        version: manifest.version,
        timeZone: 'UTC',
        timeZoneData,
        country: null,
        callingHours: null,
        maxConcurrentCalls: null,
        maxCallsPerNumberPerDay: null,
        callLimits: [],
        restAfterSuccess: 0,
        importMaxRows: 10_000,
        batchImportMaxRows: 10_000,
      });
    });
  });

  describe('with rules', () => {
    const rules = {
      country: 'CN',
      maxConcurrentCalls: 200,
      maxCallsPerNumberPerDay: 3,
      callLimits: [{ calls: 7, minutes: 10_080 }],
      restAfterSuccess: 168,
      importMaxRows: 250_000,
    };
    const callingHours = { start: '08:00', end: '21:00' };
    const api = useApi({ ...rules, timeZone: 'Asia/Shanghai', callingHours });

    it('names them', async () => {
      const answer = succeeded(await api.get('/api/service'));
      expect(answer).toMatchObject({ ...rules, timeZone: 'Asia/Shanghai', callingHours: '08:00-21:00' });
    });
  });
});
