import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Key, keys } from '../../../../shared/platform/table/keys.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';

const expiring: Record<string, Key> = {
  'a contact that waits to be added': keys.waitingContact('0123456789abcdef', 0, '1'),
  'numbers that wait for the do-not-call list': keys.waitingNumbers('do-not-call'),
  'the plan of an import': keys.importPlan('0123456789abcdef', 'import', 0),
  'a failed import': keys.failedImport(0, 'import'),
  'a stored answer': keys.storedAnswer('request'),
  'the effect of a request': keys.effect('request', 'contact#add'),
  'the calls to a number': keys.numberCalls('+491701234567'),
  'the pace of a task': keys.taken(keys.taskPace('task')),
  'the pace of the service': keys.taken(keys.servicePace),
  'freed channels': keys.freed(keys.servicePace, 1, 0),
  'freed channels at a high rate': keys.wideFreed(keys.taskPace('task'), 1, 0),
  'an hour of a timeline': keys.timelineHour('task', 0),
  'a page of events': keys.eventPage('hash.1'),
  'a sheet of the list of events': keys.eventSheet(1),
  'a page of events of release 0.5': keys.earlierEventPage(1),
  'an attempt to deliver': keys.deliveryRow('0123456789abcdef', 1),
};

const lasting: Record<string, Key> = {
  'a contact': keys.contact('0123456789abcdef', 0),
  'the guard of a number': keys.phone('do-not-call', '+491701234567'),
  'a day of a timeline': keys.timelineDay('task', 0),
  'the start of the events': keys.eventStart,
  'a webhook': keys.webhook('0123456789abcdef'),
  'the progress of deliveries': keys.deliveryProgress('0123456789abcdef'),
};

describe('the table of the tests refuses', () => {
  let table: OpenTable;
  const ttl = Date.UTC(2026, 0, 5) / 1000;
  const update = { UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } };
  beforeAll(async () => {
    table = await engines[0]!.open();
  });
  afterAll(() => table.close());

  it.each(Object.entries(expiring))('%s without a time to live', async (_, key) => {
    const { database } = table;
    await expect(database.put(key)).rejects.toThrow('must expire');
    await expect(database.putAll([key])).rejects.toThrow('must expire');
    await expect(database.transact([database.putOf(key)])).rejects.toThrow('must expire');
    await expect(database.update(key, update)).rejects.toThrow('must expire');
    await database.put({ ...key, ttl });
    await expect(database.put({ ...key, ttl: ttl * 1000 })).rejects.toThrow('in seconds');
  });

  it.each(Object.entries(lasting))('%s with a time to live', async (_, key) => {
    await expect(table.database.put({ ...key, ttl })).rejects.toThrow('among those that expire');
    await table.database.put(key);
  });
});
