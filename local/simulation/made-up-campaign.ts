import { ServiceRefusal } from '../../client/service-error.ts';
import { timeIn } from '../../shared/platform/time/zones.ts';
import { fileForm, madeUpContacts, surveyDispositions } from './made-up.ts';
import type { ServiceClient } from './service-client.ts';

const nameTaken = 'NAME_TAKEN';

/** If the name is in use, adds a number to it. */
const addWithFreeName = async <T>(name: string, add: (name: string) => Promise<T>): Promise<T> => {
  for (let count = 1; ; count++) {
    try {
      return await add(count === 1 ? name : `${name} ${count}`);
    } catch (error) {
      const { cause } = error as Error;
      if (!(cause instanceof ServiceRefusal && cause.errorCode === nameTaken)) throw error;
    }
  }
};

/** Round the earth: in one of them it is about noon, and in another about midnight. */
const zones = [
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Pacific/Auckland',
] as const;

const hourIn = (zone: string): number => Number(timeIn(zone)(Date.now()).slice(11, 13));

const zonesByDistanceToNoon = () => {
  const distance = (zone: string) => Math.abs(hourIn(zone) - 12);
  return zones.toSorted((a, b) => distance(a) - distance(b));
};

/** Of the contacts, every so-many-th is asleep. */
const asleepEvery = 10;
const emergencyNumber = '112';
const complaints = 3;
const trunkCalls = 10;

type Rules = { maxDialCount: number; callInterval: number; priority: number };

/** @returns its id, and how many contacts it has */
const addList = async (
  service: ServiceClient,
  list: { name: string; desc: string; file: string },
): Promise<{ id: string; imported: number }> => {
  const { api } = service;
  const { id } = await addWithFreeName(list.name, (dataSourceName) =>
    service.ask(api.POST('/api/dataSource/add', { body: { dataSourceName, dataSourceDesc: list.desc } })),
  );
  const { successCount } = await service.ask(
    api.POST('/api/dataSource/{id}/contact/batchImport', {
      params: { path: { id } },
      body: fileForm(list.file, 'made-up-contacts.csv') as never,
    }),
  );
  return { id, imported: successCount };
};

/** A task whose calls all fail, as through a dead trunk: after ten of them it pauses itself. */
const addBrokenTask = async (service: ServiceClient, body: { dataSourceId: string }): Promise<string> => {
  const { api } = service;
  const pauseWhen = { failedPercent: 80, calls: trunkCalls };
  const { id } = await addWithFreeName('Winter offers', (taskName) =>
    service.ask(api.POST('/api/task/add', { body: { taskName, pauseWhen, priority: 1, ...body } })),
  );
  await service.ask(api.POST('/api/task/publish', { body: { id } }));
  for (const { callId } of await service.lease(trunkCalls, 120, id))
    await service.report({ callId, outcome: 'failed', reason: 'networkError', duration: 0 });
  return id;
};

/**
 * A campaign with what a real one has: hours, contacts who are asleep in their own zones, numbers
 * that must not be called, and a task that needs attention. The contacts are invented.
 */
export const addMadeUpCampaign = async (service: ServiceClient, contactCount: number, rules: Rules) => {
  const [noon = '', ...others] = zonesByDistanceToNoon();
  const midnight = others.at(-1);
  const zoneOf = (index: number) => (index % asleepEvery === 0 ? midnight : undefined);
  const list = await addList(service, {
    name: 'Made-up contacts',
    desc: 'Invented people; their numbers are reserved for fiction',
    file: `${madeUpContacts(contactCount - 1, zoneOf)}${emergencyNumber},Emergency service\r\n`,
  });
  const excluded = await addList(service, {
    name: 'Made-up complaints',
    desc: 'Invented people who must not be called',
    file: madeUpContacts(complaints),
  });
  const hours = { dailyStartTime: '09:00', dailyEndTime: '18:00', timeZone: noon };
  const shared = { dataSourceId: list.id, excludedDataSourceIds: [excluded.id], ...hours };
  const taskDesc = 'Called by the simulator: no phone rings';
  const brokenTaskId = await addBrokenTask(service, { ...shared });
  const task = await addWithFreeName('Spring survey', (taskName) => {
    const body = { taskName, taskDesc, dispositions: [...surveyDispositions], ...shared, ...rules };
    return service.ask(service.api.POST('/api/task/add', { body }));
  });
  await service.ask(service.api.POST('/api/task/publish', { body: { id: task.id } }));
  return { taskId: task.id, brokenTaskId, imported: list.imported, hours };
};
