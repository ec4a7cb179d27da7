import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { numberingIn } from '../../../shared/contacts/phone-country.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import type { Numbering } from '../../../shared/contacts/rules/phone-number.ts';
import { PreflightReader } from '../../../shared/insight/preflight-reader.ts';
import { createTask } from '../../../shared/tasks/rules/task.ts';
import { aDataSource, aDraft, aService, rulesWithoutLimits, start } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { seedPhones } from '../../support/engines/seed-contacts.ts';
import { randomRuns } from '../../support/run/extent.ts';

type Phones = readonly (string | undefined)[];
type Lists = { own: Phones; blocked: Phones; excluded: Phones; other: Phones };

/** Few subscribers in many spellings, so that lists share numbers, with gaps and more than one block. */
const prefixes = ['', '+86', '0086', '0', '86', '+1', '9'];
const phone = fc
  .tuple(fc.constantFrom(...prefixes), fc.integer({ min: 0, max: 60 }))
  .map(([prefix, subscriber]) => `${prefix}138001${String(subscriber * 37).padStart(5, '0')}`);
const phones = fc
  .tuple(fc.uniqueArray(phone, { maxLength: 160 }), fc.infiniteStream(fc.boolean()))
  .map(([all, gaps]): Phones => all.flatMap((each) => (gaps.next().value ? [each] : [each, undefined])));

const present = (list: Phones): string[] => list.filter((each) => each !== undefined);

/** One number after the other, as a lease looks them up. */
const naively = ({ own, blocked, excluded, other }: Lists, { spellings }: Numbering) => {
  const isOn = (list: Phones, number: string) => spellings(number).some((text) => list.includes(text));
  const [onFirst, onSecond] = [blocked, excluded].map((list) =>
    present(own).filter((number) => isOn(list, number)),
  ) as [string[], string[]];
  const onAny = new Set([...onFirst, ...onSecond]);
  const callable = present(own).filter((number) => !onAny.has(number));
  const ends = new Set([...present(blocked), ...present(excluded)].map((text) => text.slice(-9)));
  return {
    total: present(own).length,
    blocked: onAny.size,
    counts: [onFirst.length, onSecond.length],
    otherSpelling: callable.filter((number) => ends.has(number.slice(-9))).length,
    alsoIn: [callable.length, callable.filter((number) => isOn(other, number)).length],
  };
};

describe.each(engines)('pre-flight of random lists on $name', (engine) => {
  let table: OpenTable;
  beforeAll(async () => {
    table = await engine.open();
  });
  afterAll(() => table.close());

  it.each(['', 'CN'])('answers what asking for each number would, in the country "%s"', async (country) => {
    const { database } = table;
    const numbering = numberingIn(country);
    const { lagging } = database;
    const stores = openStores(lagging);
    const reader = new PreflightReader({
      ...stores,
      database: lagging,
      phones: numbering,
      country,
      timeZone: 'UTC',
    });
    const rules = rulesWithoutLimits(lagging);
    const service = aService(database);
    const ownId = await aDataSource(database, 0);
    const excludedId = await aDataSource(database, 0);
    const otherId = await aDataSource(database, 0);
    const same = await aDraft(service, ownId);
    const another = await aDraft(service, otherId);
    await service.tasks.move(same.id, 'publish', (task) => task);
    await service.tasks.move(another.id, 'publish', (task) => task);
    await service.tasks.move(another.id, 'pause', (task) => task);
    const input = { taskName: 'x', dataSourceId: ownId, excludedDataSourceIds: [excludedId] };
    const check = fc.asyncProperty(phones, phones, phones, phones, async (own, blocked, excluded, other) => {
      await seedPhones(database, ownId, own);
      await seedPhones(database, doNotCall.id, blocked);
      await seedPhones(database, excludedId, excluded);
      await seedPhones(database, otherId, other);
      const found = await reader.of(createTask(input, '', start), rules, start);
      const countIn = (id: string) => found.alsoIn.find(({ taskId }) => taskId === id)?.count ?? 0;
      const countOn = (id: string) =>
        found.blockedBy.find(({ dataSourceId }) => dataSourceId === id)?.count ?? 0;
      expect({
        total: found.total,
        blocked: found.blocked,
        counts: [countOn(doNotCall.id), countOn(excludedId)],
        otherSpelling: found.otherSpelling,
        alsoIn: [countIn(same.id), countIn(another.id)],
      }).toEqual(naively({ own, blocked, excluded, other }, await numbering()));
      expect(found.alsoInComplete).toBe(true);
      const seqs = (await reader.blockedOf(createTask(input, '', start), start)).map(({ seq }) => seq);
      expect(seqs.length).toBe(found.blocked);
      expect(seqs.every((seq, i) => own[seq] !== undefined && (i === 0 || seq > seqs[i - 1]!))).toBe(true);
    });
    await fc.assert(check, randomRuns(engine.sized(40, 5)));
  });
});
