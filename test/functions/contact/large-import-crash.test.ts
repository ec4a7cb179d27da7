import { describe, expect, it, onTestFinished } from 'vitest';
import { openDiskTable } from '../../support/engines/disk-table.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { grudging } from '../../support/engines/grudging.ts';
import { contactsCsv, listed, phoneAt, phones } from '../../support/files/contact-files.ts';
import { anImportOf, withSmallParts } from '../../support/files/large-files.ts';
import { type Api, startApi, succeeded, useApi } from '../../support/service/api.ts';
import { between, type CrashPoint, goneAfter } from '../../support/service/crash-point.ts';
import { startServiceProcess } from '../../support/service/crashing-service.ts';
import { aFolder, anObjectStore, until } from '../../support/service/object-store.ts';

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

describe('a large import whose runner dies', () => {
  let table: OpenTable;
  const engine = {
    open: async () => {
      table = await grudging(engines[0]!).open();
      return table;
    },
  };
  const api = useApi({ engine });

  /** The process dies before its next call. The answer waits for the calls under way, as a hold does. */
  const dyingAfter = (calls: number) => {
    const underWay: Promise<unknown>[] = [];
    const noted = between(table.client, (send) => (command) => {
      const answer = send(command);
      underWay.push(answer);
      return answer;
    });
    const gone = goneAfter(table.client, calls, new Error('the process is gone'));
    return async () => {
      gone.restore();
      noted.restore();
      await Promise.allSettled(underWay);
    };
  };

  it.each(modes)(
    'at any call ends as one that does not ($onDuplicate, in steps: $isStepwise)',
    async (mode) => {
      withSmallParts(partRows);
      const isUpdate = mode.onDuplicate === 'update';
      const { objects } = await anObjectStore({});
      for (let calls = 0, crashes = 0; ; calls += 7) {
        const { id } = await api.aDataSource();
        await api.aContact(id, { phoneNumber: phoneAt(taken), customerName: 'Old name' });
        if (mode.isStepwise) await api.aTaskIn(1, { dataSourceId: id });
        const file = await contactsCsv(rows);
        const { importId, importer } = await anImportOf(
          api.database,
          id,
          file,
          {
            onDuplicate: mode.onDuplicate,
          },
          objects,
        );
        const settled = dyingAfter(calls);
        const hasEnded = await importer.run(id, importId).then(
          () => true,
          () => false,
        );
        await settled();
        if (!hasEnded) {
          crashes++;
          await importer.run(id, importId, { takeOver: true });
        }
        expect(await importer.find(id, importId)).toMatchObject(countsOf(isUpdate));
        await expectImportedOnce(api, id, isUpdate);
        if (!hasEnded) continue;
        expect(crashes).toBeGreaterThan(5);
        return;
      }
    },
  );
});

const points: CrashPoint[] = [
  { step: 'cut', call: 1, when: 'before' },
  { step: 'cut', call: 1, when: 'after' },
  { step: 'guard', call: 4, when: 'after' },
  { step: 'reserve', call: 2, when: 'after' },
  { step: 'part', call: 1, when: 'before' },
  { step: 'write', call: 3, when: 'after' },
  { step: 'part', call: 2, when: 'after' },
  { step: 'commit', call: 1, when: 'before' },
];

describe('a service killed and started again', () => {
  const restarted = async (dataDir: string): Promise<Api> => {
    const api = await startApi({ engine: { open: () => openDiskTable(dataDir) }, dataDir });
    onTestFinished(() => api.stop());
    return api;
  };

  it.each(points.map((point, at) => ({ ...point, state: at % 2 })))(
    'ends a large import ($step $call, $when, task in state $state)',
    async ({ state, ...point }) => {
      const dataDir = await aFolder();
      const service = await startServiceProcess(dataDir, point, partRows);
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
      expect(await service.ended).toBe('SIGKILL');
      withSmallParts(partRows);
      const api = await restarted(dataDir);
      const path = `/api/dataSource/${id}/contact/import/${importId}`;
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
