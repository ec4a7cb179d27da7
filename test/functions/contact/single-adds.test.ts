import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { engines } from '../../support/engines/engines.ts';
import { listed, phones } from '../../support/files/contact-files.ts';
import { succeeded, useApi } from '../../support/service/api.ts';
import { between } from '../../support/service/crash-point.ts';
import { watched } from '../../support/service/removal.ts';

const now = Date.UTC(2026, 0, 5, 9);
const second = 1000;
const phone = (at: number) => `+86138${String(at).padStart(8, '0')}`;

describe('a single add', () => {
  const engine = watched(engines[0]!);
  const api = useApi({ engine, now: () => now });
  const add = (list: string, at: number) =>
    api.post(`/api/dataSource/${list}/contact/add`, { phoneNumber: phone(at) });
  const numbersOf = async (list: string) => phones(await listed(api, list)).sort();
  /** Contacts whose processes died while they waited to be added. */
  const leave = async (list: string, count: number, age: number) => {
    const time = now - age;
    for (let at = 1; at <= count; at++)
      await api.database.put({
        ...keys.waitingContact(list, time, String(at)),
        phone: phone(at),
        fields: '{}',
        time,
        ttl: Math.ceil(time / second) + 60,
      });
  };

  it.each([1, 5, 23])('goes through, with those of %i processes that have just died', async (count) => {
    const list = (await api.aDataSource()).id;
    await leave(list, count, 1);
    succeeded(await add(list, 0));
    expect(await numbersOf(list)).toHaveLength(count + 1);
    succeeded(await add(list, 90));
  });

  it.each([4, 11, 61])('ignores 40 contacts that dead processes left %i seconds ago', async (age) => {
    const list = (await api.aDataSource()).id;
    await leave(list, 40, age * second);
    succeeded(await add(list, 0));
    expect(await numbersOf(list)).toEqual([phone(0)]);
  });

  it.each(['changes', 'deletes'])(
    'is answered, if another process %s the contact as soon as it is in the list',
    async (what) => {
      const list = (await api.aDataSource()).id;
      await leave(list, 1, 1);
      let isDone = false;
      const line = between(engine.table.client, (send) => async (command) => {
        const answer = await send(command);
        if (isDone || !JSON.stringify(command.input).includes('TransactItems')) return answer;
        isDone = true;
        const { contacts } = openStores(api.database);
        const { rows } = await contacts.page(list, { offset: 0, limit: 10 });
        const { id } = rows.find(({ phoneNumber }) => phoneNumber === phone(0))!;
        if (what === 'deletes') await contacts.remove(list, id, now);
        else await contacts.update(list, id, { phoneNumber: phone(50), changes: new Map() }, now);
        return answer;
      });
      const answer = succeeded(await add(list, 0));
      line.restore();
      expect(answer).toMatchObject({ phoneNumber: phone(0) });
      expect(await numbersOf(list)).toEqual(what === 'deletes' ? [phone(1)] : [phone(1), phone(50)].sort());
    },
  );
});
