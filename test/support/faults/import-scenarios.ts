import { afterAll, beforeAll, expect } from 'vitest';
import { partLimits } from '../../../shared/imports/checked-rows.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { phoneAt } from '../files/contact-files.ts';
import { succeeded } from '../service/api.ts';
import { send } from '../service/post-scenarios.ts';
import { Shelf } from './audit.ts';
import type { Effects } from './effects.ts';
import { FaultProcess } from './fault-process.ts';
import { arrival, arriving, cancelling, invoking, upload } from './lively-task.ts';
import { type Rival, type Run, scenariosOf } from './scenario.ts';
import type { World } from './world.ts';

/** Rows of a part: two batches of phone guards. A file has three parts. */
const partRows = 30;
const rows = 70;
/** The row whose number a contact has before. */
const taken = 37;
/** Longer than any hold on an import. */
export const patienceSeconds = 1200;
const dies = ['ended before', 'ended after'] as const;

const fileOf = (count: number, first = 0) =>
  [
    'phoneNumber,customerName',
    ...Array.from({ length: count }, (_, at) => `${phoneAt(first + at)},Customer ${first + at}`),
  ].join('\n');

/** In the tests of this file, so few rows are a part. */
export const useSmallParts = (): void => {
  const usual = { ...partLimits };
  beforeAll(() => void Object.assign(partLimits, { rows: partRows, whole: partRows }));
  afterAll(() => void Object.assign(partLimits, usual));
};

type Mode = { onDuplicate: 'skip' | 'update'; isStepwise: boolean };
const modes: Mode[] = [true, false].flatMap((isStepwise) => [
  { onDuplicate: 'skip', isStepwise },
  { onDuplicate: 'update', isStepwise },
]);

const aLargeImport = async (process: FaultProcess, world: World, { onDuplicate, isStepwise }: Mode) => {
  const { id } = await process.aDataSource({ dataSourceName: 'large' });
  await process.aContact(id, { phoneNumber: phoneAt(taken), customerName: 'Old name' });
  // The contacts of a running task become visible part by part.
  if (isStepwise) await process.aTaskIn(1, { dataSourceId: id });
  const file = fileOf(rows);
  return { id, file, ...(await upload(process, world, id, file, { onDuplicate })) };
};

type Counted = {
  status: string;
  importCount: number;
  successCount: number;
  failCount: number;
  message: string;
};
const importsIn = ({ dataSources }: Effects) => dataSources.large!.imports as Counted[];
const contactsIn = ({ dataSources }: Effects) => dataSources.large!.contacts;
const phonesIn = (effects: Effects) => contactsIn(effects).map(({ phone }) => phone);
const oldContact = (effects: Effects) => JSON.stringify(contactsIn(effects)[0]);

/** Whole parts stay in their order, and are counted. Or the cancellation came too late. */
const holdsWhatWasVisible = (found: Effects, alone: Effects): void => {
  const [import_] = importsIn(found);
  if (import_?.status === 'DONE') {
    expect(importsIn(found)).toEqual(importsIn(alone));
    return;
  }
  const phones = phonesIn(found);
  expect(phones).toEqual(phonesIn(alone).slice(0, phones.length));
  const isUpdated = /Customer/.test(oldContact(found));
  const success = phones.length - 1 + (isUpdated ? 1 : 0);
  const counted = success === 0 ? 0 : rows;
  expect(import_).toMatchObject({
    ...{ status: 'FAILED', importCount: counted, successCount: success, failCount: counted - success },
    message: `the import was cancelled${success === 0 ? '' : `; rows visible before that: ${success}`}`,
  });
};

/** Two files share numbers: each number is one contact, and one of the two imports has added it. */
const holdsBothFiles =
  (others: number) =>
  (found: Effects): void => {
    const all = Array.from({ length: rows + others }, (_, at) => phoneAt(at));
    expect([...phonesIn(found)].sort()).toEqual(all);
    const both = importsIn(found);
    expect(both.map(({ status }) => status)).toEqual(['DONE', 'DONE']);
    const sum = (of: (each: Counted) => number) => both.reduce((total, each) => total + of(each), 0);
    expect(sum(({ successCount }) => successCount)).toBe(all.length - 1);
    expect(sum(({ failCount }) => failCount)).toBe(rows - others + 1);
  };

/** A file of as many new numbers as old ones. */
const overlap = rows / 2;

const rivalsOf = (id: string, importId: string, { onDuplicate }: Mode): Rival[] => {
  const cancelled: Rival = {
    name: 'its cancellation',
    run: cancelling(id, importId),
    hold: holdsWhatWasVisible,
  };
  if (onDuplicate === 'update') return [cancelled];
  const post = { path: `/api/dataSource/${id}/contact/batchImport`, file: fileOf(rows, overlap) };
  const run: Run = (rival) => send(rival, post, undefined);
  return [cancelled, { name: 'a file with the same numbers', run, hold: holdsBothFiles(overlap) }];
};

/** Its runner died when some of its parts were written. */
const brokenOffInParts = async (process: FaultProcess, world: World, mode: Mode) => {
  const made = await aLargeImport(process, world, mode);
  process.line.begin({ call: mode.isStepwise ? 34 : 40, fault: 'ended after' });
  void process.events.importFile(arrival(made.key, made.file));
  await process.line.ended;
  world.clock.advance(patienceSeconds);
  const [record] = new Shelf(world.items).below(`DS#${made.id}`, keys.import(made.id, '').sk);
  expect(record, 'the import died between its parts').toMatchObject({ status: 'RUNNING', cut: {} });
  return made;
};

/** Large files, in parts. */
export const importScenarios = modes.flatMap((mode) => {
  const name = `${mode.onDuplicate}, ${mode.isStepwise ? 'in steps' : 'at once'}`;
  const imported = scenariosOf({
    [`importFile, in parts, ${name}`]: {
      faults: dies,
      atOnce: 2,
      act: async (process, world) => {
        const { id, importId, key, file } = await aLargeImport(process, world, mode);
        return { run: arriving(arrival(key, file)), rivals: rivalsOf(id, importId, mode) };
      },
    },
  });
  const cancelled = scenariosOf({
    [`doDueFileWork, an import in parts that was cancelled, ${name}`]: {
      faults: dies,
      act: async (process, world) => {
        const { id, importId } = await brokenOffInParts(process, world, mode);
        succeeded((await cancelling(id, importId)(new FaultProcess(world), world))!);
        return invoking('doDueFileWork');
      },
    },
  });
  // An update that shows its rows at once cannot be cancelled any more when a contact is updated.
  return mode.onDuplicate === 'skip' || mode.isStepwise ? [...imported, ...cancelled] : imported;
});
