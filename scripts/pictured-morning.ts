import { fileForm, madeUpContacts } from '../local/simulation/made-up.ts';
import { simulatedCall } from '../local/simulation/mix.ts';
import { ServiceClient } from '../local/simulation/service-client.ts';
import { minuteMs, secondMs } from '../shared/platform/time/time.ts';
import { timeIn } from '../shared/platform/time/zones.ts';

const stepMs = 10 * minuteMs;
const lastMinutes = 6;
/** Before a talk. */
const ringSeconds = 8;
const mix = { success: 0.55, noAnswer: 0.3, callback: 0.12, disposition: 0.9, data: 0.8, summary: 1 };
const callbackAfterMs = 4 * 60 * minuteMs;
const dispositions = [
  { code: 'renews', label: 'Renews', then: 'final' },
  { code: 'thinking', label: 'Wants to think about it', then: 'retry' },
  { code: 'declines', label: 'Declines', then: 'final' },
] as const;
const daytime = { dailyStartTime: '08:00', dailyEndTime: '20:00', timeZone: 'Asia/Shanghai' };
/** Some contacts get up while the others are called, and some when the others go to bed. */
const zoneOf = (index: number) => {
  if (index % 7 === 3) return 'Europe/Berlin';
  return index % 11 === 5 ? 'America/New_York' : undefined;
};
const officeHours = {
  dailyStartTime: '09:00',
  dailyEndTime: '20:00',
  weekdays: [1, 2, 3, 4, 5],
  timeZone: 'Europe/Paris',
};

/** The clock of the service, set by this script. */
type Clock = { now: number };

type Morning = {
  clock: Clock;
  hours: number;
  /** Called after each ten minutes. */
  onStep: (taskId: string, step: number) => Promise<void>;
};

/** A busy hour in the middle, quiet ones at both ends. */
const callsAt = (share: number) => Math.round(6 + 26 * Math.sin(Math.PI * share));

/** Makes some hours of calls within seconds, and leaves the last few calls running. */
export const pictureMorning = async (url: string, token: string, { clock, hours, onStep }: Morning) => {
  const service = new ServiceClient(url, token);
  const post = <T = { id: string }>(path: string, body: object) => service.request<T>('POST', path, body);
  const { timeZone } = await service.request<{ timeZone: string }>('GET', '/api/service');
  const shown = timeIn(timeZone);
  const source = async (dataSourceName: string, count: number) => {
    const { id } = await post('/api/dataSource/add', { dataSourceName });
    const file = fileForm(madeUpContacts(count, zoneOf), 'contacts.csv');
    await post(`/api/dataSource/${id}/contact/batchImport`, file);
    return id;
  };
  const task = async (
    taskName: string,
    dataSourceId: string,
    more: object,
    moves: readonly string[] = [],
  ) => {
    const { id } = await post('/api/task/add', { taskName, dataSourceId, ...more });
    for (const move of moves) await post(`/api/task/${move}`, { id });
    return id;
  };
  const dial = async (taskId: string, limit: number, kept = 0) => {
    const calls = await service.lease(limit, 600, taskId);
    for (const call of calls.slice(kept)) {
      const { wish, ...told } = simulatedCall(mix, 1, call, dispositions);
      const agreed = wish && { callbackTime: shown(clock.now + callbackAfterMs) };
      // The clock stands still, so it shows the end of the call.
      const startTime = shown(clock.now - (ringSeconds + told.duration) * secondMs);
      await service.report({ callId: call.callId, startTime, ...told, ...agreed });
    }
  };

  const june = await source('June renewals', 900);
  const survey = await source('Customers in the north', 240);
  const begun = clock.now;
  const ended = begun + hours * 60 * minuteMs;
  const called = {
    taskDesc: 'Contracts that end in June',
    maxDialCount: 3,
    callInterval: 1800,
    dispositions,
  };
  const renewals = await task('June renewals', june, { ...daytime, ...called }, ['publish']);
  const paused = await task('Satisfaction survey', survey, { ...daytime, dispositions }, ['publish']);
  const steps = (ended - begun) / stepMs;
  for (let step = 0; step < steps; step++) {
    clock.now = begun + step * stepMs;
    await dial(renewals, callsAt(step / steps));
    if (step < steps / 2) await dial(paused, 4);
    if (step === Math.round(steps / 2)) await post('/api/task/pause', { id: paused });
    await onStep(renewals, step);
  }
  // So that the last minutes show a pace.
  for (let minutes = lastMinutes; minutes > 0; minutes--) {
    clock.now = ended - minutes * minuteMs;
    await dial(renewals, 11);
  }
  clock.now = ended;
  await task('Winter offers', survey, officeHours, ['publish']);
  await task('July renewals', june, officeHours);
  await dial(renewals, 12, 8);
  return { taskId: renewals, callOn: () => dial(renewals, 12, 4) };
};
