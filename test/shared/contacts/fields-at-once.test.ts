import { expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { readContactPatch } from '../../../shared/contacts/rules/contact.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { newId, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';

it('two clients change different fields of a contact, and none of them is lost', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const dataSourceId = newId();
    await seedEmptyDataSource(table.database, dataSourceId);
    const { contacts } = openStores(table.database);
    const { id } = await contacts.add(dataSourceId, { phoneNumber: '+491', fields: { plan: 'gold' } }, start);
    const change = (body: Record<string, unknown>, by = contacts) =>
      by.update(dataSourceId, id, readContactPatch(body), start);
    let isOvertaken = false;
    overtake(async () => {
      isOvertaken = true;
      await change({ plan: null, city: 'Ulm' });
    });
    await change({ note: 'called before' }, openStores(slow).contacts);
    const [contact] = await contacts.among(dataSourceId, [0]);
    const kept = isOvertaken ? { city: 'Ulm' } : { plan: 'gold' };
    expect(contact!.fields).toEqual({ ...kept, note: 'called before' });
  });
});

it('two clients bring the last field that there is room for, and one of them is refused', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const dataSourceId = newId();
    await seedEmptyDataSource(table.database, dataSourceId);
    const names = new Set(Array.from({ length: 999 }, (_, i) => `field ${i}`));
    await table.database.put({ ...keys.fieldNames(dataSourceId), names });
    const answers: string[] = [];
    const add = (name: string, { contacts } = openStores(table.database)) =>
      contacts.add(dataSourceId, { phoneNumber: name, fields: { [`new ${name}`]: 'x' } }, start).then(
        () => answers.push('added'),
        (error: Error) => answers.push(error.message),
      );
    overtake(() => add('1'));
    await add('2', openStores(slow));
    const refused = /at most 1000 different custom fields/;
    const expected = answers.length === 1 ? ['added'] : ['added', expect.stringMatching(refused)];
    expect(answers.sort()).toEqual(expected);
    const item = await table.database.get(keys.fieldNames(dataSourceId));
    expect((item!.names as Set<string>).size).toBe(1000);
  });
});
