import { expect, it, onTestFinished } from 'vitest';
import { keys } from '../../../shared/platform/table/keys.ts';
import { AskedTimes, askedTimeOf } from '../../../shared/tasks/task-items.ts';
import { newId, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';

it('a process notes every 20 seconds that a dialer asks, for each task and for any', async () => {
  const { database, close } = await engines[0]!.open();
  onTestFinished(close);
  const asked = new AskedTimes(database);
  const [one, other] = [newId(), newId()];
  const noted = async (id?: string) =>
    askedTimeOf([await database.get(id === undefined ? keys.askedForAny : keys.asked(id))]);
  expect([await noted(one), await noted()]).toEqual([null, null]);
  await asked.note(one, start);
  await asked.note(undefined, start + 1);
  await asked.note(one, start + 19_999);
  expect([await noted(one), await noted(), await noted(other)]).toEqual([start, start + 1, null]);
  await asked.note(one, start + 20_000);
  await asked.note(other, start + 20_000);
  expect([await noted(one), await noted(other)]).toEqual([start + 20_000, start + 20_000]);
  const items = await Promise.all([one, other].map((id) => database.get(keys.asked(id))));
  expect(askedTimeOf([undefined, ...items, await database.get(keys.askedForAny)])).toBe(start + 20_000);
});

it('a process remembers a thousand tasks, and then begins anew', async () => {
  let writes = 0;
  const asked = new AskedTimes({ put: async () => void writes++ } as never);
  const noteAll = async (...tasks: number[]) => {
    for (const task of tasks) await asked.note(String(task), start);
    return writes;
  };
  expect(await noteAll(...Array(1000).keys())).toBe(1000);
  expect([await noteAll(0, 999), await noteAll(1000, 0)]).toEqual([1000, 1002]);
});
