import { expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { contactId, readContactPatch } from '../../../shared/contacts/rules/contact.ts';
import type { OnDuplicate } from '../../../shared/imports/rules/contact-import.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { blockSize, seqsPerPage } from '../../../shared/platform/table/keys.ts';
import { hour, newId, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';
import { auditContacts, Shelf } from '../../support/faults/audit.ts';
import { writeAndCommit } from '../../support/files/imports.ts';
import { watched } from '../../support/service/removal.ts';

const id = newId();
const [first, usual, long] = ['555', '1001', '151123456789012'];

/** The numbers of the data source. The first contact is changed and deleted. */
type Held = { first: string | undefined; others: string[] };
type Writer = {
  write: (database: Database, seq: number) => Promise<unknown>;
  /** What the same does to a plain list, and answers. */
  model: (held: Held) => unknown;
};

const add = (held: Held, phone: string): boolean => {
  if (held.first === phone || held.others.includes(phone)) return false;
  held.others.push(phone);
  return true;
};

/** Answers how many of the rows are rejected. */
const anImport = async (database: Database, phones: string[], onDuplicate: OnDuplicate): Promise<number> => {
  const { importRecords: records, importedContacts } = openStores(database);
  const importId = newId();
  const file = { objectKey: importId, fileName: 'a.csv', fileSize: 1, createTime: start };
  await records.create({ importId, dataSourceId: id, ...file, options: { onDuplicate } });
  const hold = { owner: importId, now: start, until: start + hour };
  const { import: held } = await records.begin(id, importId, hold);
  const fields = onDuplicate === 'update' ? { customerName: 'Li' } : {};
  const rows = phones.map((phoneNumber, at) => ({ line: at + 2, phoneNumber, fields }));
  const { rejected } = await writeAndCommit(importedContacts, held, { rows, importCount: 2 }, start);
  return rejected.length;
};

const writers: Record<string, Writer> = {
  'an added contact': {
    write: (database) =>
      openStores(database)
        .contacts.add(id, { phoneNumber: usual, fields: {} }, start)
        .then(() => 'done'),
    model: (held) => (add(held, usual) ? 'done' : 'conflict'),
  },
  'a changed number': {
    write: (database, seq) =>
      openStores(database)
        .contacts.update(id, contactId(id, seq), readContactPatch({ phoneNumber: long }), start)
        .then(() => 'done'),
    model: (held) => {
      if (held.first === undefined) return 'notFound';
      if (held.others.includes(long)) return 'conflict';
      held.first = long;
      return 'done';
    },
  },
  'a deleted contact': {
    write: (database, seq) =>
      openStores(database)
        .contacts.remove(id, contactId(id, seq), start)
        .then(() => 'done'),
    model: (held) => {
      if (held.first === undefined) return 'notFound';
      held.first = undefined;
      return 'done';
    },
  },
  'an import': {
    write: (database) => anImport(database, [usual, long], 'skip'),
    model: (held) => [usual, long].filter((phone) => !add(held, phone)).length,
  },
  'an import that updates': {
    write: (database) => anImport(database, [first, long], 'update'),
    model: (held) => {
      for (const phone of [first, long]) add(held, phone);
      return 0;
    },
  },
};
/** An import that updates waits for other imports, and they for it. */
const wait = (...names: string[]) =>
  names.every((name) => name.startsWith('an import')) && names.includes('an import that updates');
const pairs = Object.keys(writers)
  .flatMap((slow) => Object.keys(writers).map((fast) => [slow, fast] as const))
  .filter((pair) => !wait(...pair));

/** Their answers, and the numbers that they leave. */
const inTurn = (...names: string[]) => {
  const held: Held = { first, others: [] };
  const answers = names.map((name) => writers[name]!.model(held));
  return { answers, phones: [held.first ?? [], ...held.others].flat().sort() };
};

it.each(pairs)('%s is overtaken by %s at any call, and each counts whole', async (slow, fast) => {
  // At the ends of a block and of a directory page.
  for (const seq of [blockSize - 1, seqsPerPage - 1]) {
    const shelf = watched(engines[0]!);
    await atEveryCall(shelf, async ({ table, slow: behind, overtake }) => {
      await seedEmptyDataSource(table.database, id, seq);
      const { contacts } = openStores(table.database);
      await contacts.add(id, { phoneNumber: first, fields: {} }, start);
      const done = (database: Database, name: string) =>
        writers[name]!.write(database, seq).catch(({ code }: { code: string }) => code);
      let faster: unknown[] = [];
      overtake(async () => {
        faster = [await done(table.database, fast!)];
      });
      const answers = [await done(behind, slow!), ...faster];
      const { rows } = await contacts.page(id, { offset: 0, limit: 9 });
      const found = { answers, phones: rows.map(({ phoneNumber }) => phoneNumber).sort() };
      const other = inTurn(fast!, slow!);
      const possible = [inTurn(slow!, fast!), { ...other, answers: other.answers.reverse() }];
      expect(faster.length > 0 ? possible : [inTurn(slow!)]).toContainEqual(found);
      auditContacts(new Shelf(await shelf.items()), id);
    });
  }
});

it.each([1, 2, 3, 9])(
  'a page of at most %i is that before or after a contact is added, wherever that overtakes it',
  async (limit) => {
    for (const offset of [0, 1]) {
      await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
        await seedEmptyDataSource(table.database, id);
        const { contacts } = openStores(table.database);
        for (const phoneNumber of ['1', '2', '3', '4'])
          await contacts.add(id, { phoneNumber, fields: {} }, start);
        await contacts.remove(id, contactId(id, 1), start);
        const query = { offset, limit };
        const before = await contacts.page(id, query);
        overtake(() => contacts.add(id, { phoneNumber: usual, fields: {} }, start));
        const page = await openStores(slow).contacts.page(id, query);
        expect([before, await contacts.page(id, query)]).toContainEqual(page);
      });
    }
  },
);

it('a search finds a contact or does not, wherever its deletion overtakes it', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    await seedEmptyDataSource(table.database, id);
    const { contacts } = openStores(table.database);
    const found = await contacts.add(id, { phoneNumber: long, fields: {} }, start);
    overtake(() => contacts.remove(id, found.id, start));
    for (const phoneNumber of [long, '123']) {
      const { rows } = await openStores(slow).contacts.page(id, { offset: 0, limit: 9, phoneNumber });
      expect(rows.filter(({ seq }) => seq !== found.seq)).toEqual([]);
    }
  });
});
