import { describe, expect, it, onTestFinished } from 'vitest';
import { openDiskTable } from '../../support/engines/disk-table.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { grudging } from '../../support/engines/grudging.ts';
import { contactsCsv, imported, listed, phoneAt, phones } from '../../support/files/contact-files.ts';
import { anImportOf, importerOf, withSmallParts } from '../../support/files/large-files.ts';
import { isInSample, isWhole } from '../../support/run/extent.ts';
import { type Api, startApi, succeeded, useApi } from '../../support/service/api.ts';
import type { CrashPoint } from '../../support/service/crash-point.ts';
import { startServiceProcess } from '../../support/service/crashing-service.ts';
import { aFolder, anObjectStore, until } from '../../support/service/object-store.ts';
import { watchedProcess } from '../../support/service/watched-process.ts';
import type { WholeBucket } from '../../support/service/whole-bucket.ts';

const rows = 110;
const partRows = 40;
const taken = 57;
const inFile = Array.from({ length: rows }, (_, at) => phoneAt(at));

/** What one clean run leaves: the contact that was there, then the file's others in their order. */
const expectImportedOnce = async (api: Api, id: string, isUpdate: boolean) => {
  const contacts = await listed(api, id);
  expect(phones(contacts)).toEqual([phoneAt(taken), ...inFile.toSpliced(taken, 1)]);
  expect(contacts[0]!.customerName).toBe(isUpdate ? `Customer ${taken}` : 'Old name');
  expect(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(rows);
};

const countsOf = (isUpdate: boolean) => ({
  status: 'DONE',
  importCount: rows,
  successCount: isUpdate ? rows : rows - 1,
  updateCount: isUpdate ? 1 : 0,
  failCount: isUpdate ? 0 : 1,
});

const modes = [
  { onDuplicate: 'skip', isStepwise: false },
  { onDuplicate: 'skip', isStepwise: true },
  { onDuplicate: 'update', isStepwise: false },
  { onDuplicate: 'update', isStepwise: true },
] as const;

/** Other calls in each test. */
let tested = 0;
const sampled = 31;

describe('a large import', () => {
  let table: OpenTable;
  const engine = {
    open: async () => {
      table = await grudging(engines[0]!).open();
      return table;
    },
  };
  const api = useApi({ engine });

  type Started = Awaited<ReturnType<typeof started>>;
  type Mode = (typeof modes)[number];

  /** A registered import, the process that is to run it, and `importer` of another process. */
  const started = async ({ onDuplicate, isStepwise }: Mode, objects: WholeBucket, file: Buffer) => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: phoneAt(taken), customerName: 'Old name' });
    if (isStepwise) await api.aTaskIn(1, { dataSourceId: id });
    const process = watchedProcess(table, objects);
    const known = await anImportOf(process.database, id, file, { onDuplicate }, process.bucket);
    const { importId } = known;
    const { importer } = importerOf(api.database, objects);
    const run = () =>
      known.importer.run(id, importId).then(
        () => true,
        () => false,
      );
    return { id, importId, process, run, importer, isUpdate: onDuplicate === 'update' };
  };

  /**
   * Tries it at every call of table and bucket, each time with another import, until an import ends before the call comes.
   * `npm test` tries one call of `sampled`, and none of a run that makes fewer.
   */
  const atEveryCall = async (mode: Mode, test: (import_: Started, nth: number) => Promise<void>) => {
    withSmallParts(partRows);
    const { objects } = anObjectStore();
    const file = await contactsCsv(rows);
    let happened = 0;
    for (let nth = 1; ; nth++) {
      if (!isInSample(11 * tested + nth, sampled)) continue;
      const import_ = await started(mode, objects, file);
      await test(import_, nth);
      if (!(await import_.process.hasHappened())) break;
      happened++;
    }
    tested++;
    if (isWhole) expect(happened).toBeGreaterThan(0);
  };

  /** A repeated delivery finds the import held, or ended. */
  const deliverTwice = ({ id, importId, importer }: Started) =>
    Promise.all([importer.run(id, importId, { takeOver: true }), importer.run(id, importId)]);

  const expectDone = async ({ id, importId, importer, isUpdate }: Started) => {
    expect(await importer.find(id, importId)).toMatchObject(countsOf(isUpdate));
    await expectImportedOnce(api, id, isUpdate);
  };

  /** Whole parts stay, in their order, and the other numbers are free. */
  const expectCancelled = async ({ id, importId, importer, isUpdate }: Started) => {
    const found = await importer.find(id, importId);
    expect(found).toMatchObject({
      status: 'FAILED',
      message: expect.stringMatching(/^the import was cancelled/),
    });
    const contacts = await listed(api, id);
    const added = contacts.length - 1;
    const updated = isUpdate && contacts[0]!.customerName !== 'Old name' ? 1 : 0;
    expect(phones(contacts)).toEqual([phoneAt(taken), ...inFile.toSpliced(taken, 1).slice(0, added)]);
    const success = added + updated;
    const counted = success === 0 ? 0 : rows;
    expect(found).toMatchObject({
      ...{ importCount: counted, successCount: success, failCount: counted - success, updateCount: updated },
      message:
        success === 0
          ? 'the import was cancelled'
          : `the import was cancelled; rows visible before that: ${success}`,
    });
    expect(await imported(api, id, await contactsCsv(rows))).toMatchObject({
      successCount: rows - contacts.length,
      failCount: contacts.length,
    });
  };

  it.each(modes)(
    'whose runner dies at any call is imported once, although it is delivered twice ($onDuplicate, in steps: $isStepwise)',
    (mode) =>
      atEveryCall(mode, async (import_, nth) => {
        import_.process.diesAt(nth);
        const hasEnded = await import_.run();
        await import_.process.hasHappened();
        if (!hasEnded) await deliverTwice(import_);
        await expectDone(import_);
      }),
  );

  it.each(modes)(
    'that is cancelled at any call leaves what was visible, or is done ($onDuplicate, in steps: $isStepwise)',
    (mode) =>
      atEveryCall(mode, async (import_, nth) => {
        const { id, importId, importer, process } = import_;
        let isRefused = true;
        process.beforeCall(nth, async () => {
          isRefused = await importer.cancel(id, importId).then(
            () => false,
            () => true,
          );
        });
        await import_.run();
        await deliverTwice(import_);
        await (isRefused ? expectDone(import_) : expectCancelled(import_));
      }),
  );

  it.each(modes.filter((mode) => mode.onDuplicate === 'skip' || mode.isStepwise))(
    'that was cancelled is rolled back, although its runner dies at any call ($onDuplicate, in steps: $isStepwise)',
    (mode) =>
      atEveryCall(mode, async (import_, nth) => {
        const { id, importId, importer, process } = import_;
        let parts = 0;
        await importer.run(id, importId, { isTimeUp: () => ++parts > 2 });
        await importer.cancel(id, importId);
        process.diesAt(nth);
        if (!(await import_.run())) await deliverTwice(import_);
        await expectCancelled(import_);
      }),
  );

  it.each(modes.filter(({ onDuplicate }) => onDuplicate === 'skip'))(
    'shares the numbers with a file that is imported whole at any of its calls (in steps: $isStepwise)',
    (mode) =>
      atEveryCall(mode, async (import_, nth) => {
        const { id, importId, importer, process } = import_;
        const other = await anImportOf(api.database, id, await contactsCsv(rows, 60));
        process.beforeCall(nth, () => other.importer.run(id, other.importId));
        await import_.run();
        if (!(await process.hasHappened())) await other.importer.run(id, other.importId);
        const found = [await importer.find(id, importId), await other.importer.find(id, other.importId)];
        expect(found.map(({ status, importCount }) => [status, importCount])).toEqual([
          ['DONE', rows],
          ['DONE', rows],
        ]);
        const all = Array.from({ length: rows + 60 }, (_, at) => phoneAt(at));
        expect(phones(await listed(api, id)).toSorted()).toEqual(all);
        expect(found[0]!.successCount + found[1]!.successCount).toBe(all.length - 1);
        expect(found[0]!.failCount + found[1]!.failCount).toBe(rows - 60 + 1);
      }),
  );
});

/** The calls of each step. Rows that become visible in steps are reserved part by part. */
const callsOf = (state: number) => ({
  claim: 1,
  cut: 1,
  reserve: state === 1 ? 3 : 1,
  guard: 6,
  write: state === 1 ? 9 : 7,
  part: 2,
  commit: 1,
});
const points = [0, 1].flatMap((state) =>
  Object.entries(callsOf(state)).flatMap(([step, calls]) =>
    Array.from({ length: calls }, (_, at) => at + 1).flatMap((call) =>
      (['before', 'after'] as const).map((when) => ({ step: step as CrashPoint['step'], call, when, state })),
    ),
  ),
);

describe('a service killed and started again', () => {
  const restarted = async (dataDir: string): Promise<Api> => {
    const api = await startApi({ engine: { open: () => openDiskTable(dataDir) }, dataDir });
    onTestFinished(() => api.stop());
    return api;
  };

  it.runIf(isWhole).each(points)(
    'ends a large import ($step $call, $when, task in state $state)',
    async ({ state, ...point }) => {
      const dataDir = await aFolder();
      const service = await startServiceProcess(dataDir, { crashPoint: point, partRows });
      const { id } = await service.api.aDataSource();
      await service.api.aContact(id, { phoneNumber: phoneAt(taken), customerName: 'Old name' });
      const { id: taskId } = succeeded(
        await service.api.post('/api/task/add', { taskName: 'A', dataSourceId: id }),
      );
      if (state === 1) succeeded(await service.api.post('/api/task/publish', { id: taskId }));
      const file = await contactsCsv(rows);
      const { importId, uploadUrl } = succeeded(
        await service.api.post(`/api/dataSource/${id}/contact/importUpload`, {
          fileName: 'x.csv',
          fileSize: file.length,
        }),
      );
      expect((await fetch(String(uploadUrl), { method: 'PUT', body: file as never })).status).toBe(200);
      const path = `/api/dataSource/${id}/contact/import/${importId}`;
      expect(await service.ended).toBe('SIGKILL');
      withSmallParts(partRows);
      const api = await restarted(dataDir);
      await until(async () => succeeded(await api.get(path)).status === 'DONE');
      expect(succeeded(await api.get(path))).toMatchObject({
        ...countsOf(false),
        visibility: state === 1 ? 'inSteps' : 'atOnce',
        details: [{ row: taken + 2, phoneNumber: phoneAt(taken), code: 'DUPLICATE' }],
      });
      await expectImportedOnce(api, id, false);
    },
  );
});
