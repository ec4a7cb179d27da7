import { randomInt } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Data, ImportReport, ImportStatus } from '../../client/client.ts';
import { status } from '../../shared/tasks/rules/task-states.ts';
import type { ServiceClient } from '../simulation/service-client.ts';
import { eventually, expectEqual, type Steps } from './steps.ts';

/**
 * Numbers without a subscriber: 555-0100 to 555-0199 are reserved in every area of North America.
 * Each run uses another area, so that a daily limit on calls to a number does not stop the second
 * run of a day.
 */
export const unusedNumbers = (): ((count: number) => string[]) => {
  const area = randomInt(201, 989);
  let next = 100;
  return (count) => Array.from({ length: count }, () => `+1${area}5550${next++}`);
};

export const csvOf = (phones: readonly string[]): string =>
  ['phoneNumber,customerName,smoke', ...phones.map((phone, i) => `${phone},Test ${i + 1},yes`)].join('\r\n');

type Result = { status: string; successCount: number; message: string };

/** Drops a file into the bucket, like operators, and waits for its report. */
export const dropFile = async (bucket: string, dataSourceId: string, file: string): Promise<Result> => {
  const client = new S3Client({});
  const key = `imports/${dataSourceId}/smoke.csv`;
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: file }));
  return eventually('the report beside the dropped file', async () => {
    try {
      const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: `${key}.result.json` }));
      return JSON.parse((await found.Body?.transformToString()) ?? '') as Result;
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  });
};

const outcomes = ['success', 'failed', 'noAnswer'] as const;

/** What the test has created, for the clean-up. */
type Begun = { dataSourceId?: string; taskId?: string };

/** The usual way from an empty data source to the exported outcomes. A step that fails throws. */
export class MainRoad {
  readonly begun: Begun = {};
  readonly #service: ServiceClient;
  readonly #steps: Steps;
  readonly #bucket: string | undefined;
  readonly #numbers = unusedNumbers();
  #contacts = 0;

  /** @param bucket where a file is dropped; without it this step is skipped */
  constructor(service: ServiceClient, steps: Steps, bucket: string | undefined) {
    this.#service = service;
    this.#steps = steps;
    this.#bucket = bucket;
  }

  async walk(name: string): Promise<void> {
    const dataSourceId = await this.#steps.run('data source added', () => this.#addDataSource(name));
    await this.#importFiles(dataSourceId);
    await this.#steps.run(`${this.#contacts} contacts listed`, () => this.#list(dataSourceId));
    const taskId = await this.#steps.run('task added', () => this.#addTask(name, dataSourceId));
    await this.#steps.run('task published', async () => {
      expectEqual(
        'status',
        (await this.#post<Data<'publishTask'>>('/api/task/publish', { id: taskId })).status,
        1,
      );
    });
    await this.#callContacts(taskId);
    await this.#exportBoth(dataSourceId, taskId);
  }

  async #importFiles(dataSourceId: string): Promise<void> {
    await this.#steps.run('file imported with a request', () => this.#importForm(dataSourceId));
    await this.#steps.run('file uploaded to the bucket and imported', () => this.#importUpload(dataSourceId));
    const dropped = 'file dropped in the bucket and imported';
    const bucket = this.#bucket;
    if (bucket === undefined) return this.#steps.skip(dropped, 'no --bucket');
    await this.#steps.run(dropped, async () => {
      const { status, successCount, message } = await dropFile(bucket, dataSourceId, csvOf(this.#numbers(2)));
      expectEqual('its result', [status, successCount, message], ['DONE', 2, '']);
      this.#contacts += 2;
    });
  }

  async #callContacts(taskId: string): Promise<void> {
    await this.#steps.run('all contacts called once', async () => {
      const called = await this.#call(taskId, (i) => outcomes[i % outcomes.length] ?? 'failed');
      expectEqual('calls leased', called, this.#contacts);
    });
    const failures = this.#contacts - Math.ceil(this.#contacts / outcomes.length);
    await this.#steps.run('contacts that were not reached recalled and called again', async () => {
      const { recallCount } = await this.#post<Data<'recallTask'>>(`/api/task/${taskId}/recall`, {});
      expectEqual('recallCount', recallCount, failures);
      const called = await eventually(
        'the recalled contacts',
        async () => (await this.#call(taskId)) || undefined,
      );
      expectEqual('calls leased', called, failures);
    });
    await this.#steps.run('statistics add up', async () => {
      const { status, callCount, successCount } = await this.#service.statistics(taskId);
      const calls = this.#contacts + failures;
      expectEqual(
        '[status, callCount, successCount]',
        [status, callCount, successCount],
        [4, calls, this.#contacts],
      );
    });
  }

  async #exportBoth(dataSourceId: string, taskId: string): Promise<void> {
    await this.#steps.run('outcomes exported as CSV', async () => {
      const file = await this.#service.download(`/api/task/${taskId}/export?format=csv`);
      expectEqual('rows', new TextDecoder().decode(file).trimEnd().split('\r\n').length - 1, this.#contacts);
    });
    await this.#steps.run('contacts exported as Excel', async () => {
      const file = await this.#service.download(
        `/api/dataSource/${dataSourceId}/contact/batchExport?format=excel`,
      );
      expectEqual('its first bytes', new TextDecoder().decode(file.subarray(0, 2)), 'PK');
    });
  }

  /** The report of a dropped file is written a moment before its contacts are listed. */
  async #list(dataSourceId: string): Promise<void> {
    await eventually(`a list of ${this.#contacts} contacts`, async () => {
      const { total } = await this.#contactsOf(dataSourceId);
      return total === this.#contacts || undefined;
    });
  }

  async #addDataSource(name: string): Promise<string> {
    const { id } = await this.#post<Data<'addDataSource'>>('/api/dataSource/add', { dataSourceName: name });
    this.begun.dataSourceId = id;
    return id;
  }

  /** The task has the lowest priority, so that the tasks of other dialers come first. */
  async #addTask(name: string, dataSourceId: string): Promise<string> {
    const rules = { priority: 5, maxDialCount: 1, callInterval: 0 };
    const { id } = await this.#post<Data<'addTask'>>('/api/task/add', {
      taskName: name,
      dataSourceId,
      ...rules,
    });
    this.begun.taskId = id;
    return id;
  }

  async #importForm(dataSourceId: string): Promise<void> {
    const phones = this.#numbers(3);
    const form = new FormData();
    form.set('file', new Blob([csvOf([...phones, phones[0] as string])]), 'smoke.csv');
    const { importCount, successCount, failCount } = await this.#post<ImportReport>(
      `/api/dataSource/${dataSourceId}/contact/batchImport`,
      form,
    );
    expectEqual('its result', [importCount, successCount, failCount], [4, 3, 1]);
    this.#contacts += 3;
  }

  async #importUpload(dataSourceId: string): Promise<void> {
    const file = csvOf(this.#numbers(2));
    const base = `/api/dataSource/${dataSourceId}/contact`;
    const request = { fileName: 'smoke.csv', fileSize: Buffer.byteLength(file) };
    const { importId, uploadUrl, method, headers } = await this.#post<Data<'importUpload'>>(
      `${base}/importUpload`,
      request,
    );
    const { status: answered } = await fetch(uploadUrl, { method, headers, body: file });
    expectEqual('the answer to the upload', answered, 200);
    const ended = await eventually('the end of the import', async () => {
      const found = await this.#service.request<ImportStatus>('GET', `${base}/import/${importId}`);
      return found.status === 'DONE' || found.status === 'FAILED' ? found : undefined;
    });
    expectEqual('its result', [ended.status, ended.successCount, ended.message], ['DONE', 2, '']);
    this.#contacts += 2;
  }

  /** Leases the due contacts and reports a result of each call. @returns the number of calls */
  async #call(taskId: string, outcomeOf: (i: number) => (typeof outcomes)[number] = () => 'success') {
    const calls = await this.#service.lease(this.#contacts, 60, taskId);
    for (const [i, { callId }] of calls.entries())
      await this.#service.report({ callId, outcome: outcomeOf(i), duration: 10 });
    return calls.length;
  }

  async #contactsOf(dataSourceId: string): Promise<Data<'listContacts'>> {
    return this.#service.request('GET', `/api/dataSource/${dataSourceId}/contacts?pageSize=100`);
  }

  async #post<T>(path: string, body: object | FormData): Promise<T> {
    return this.#service.request<T>('POST', path, body);
  }

  /** Removes everything that the test has created. */
  async cleanUp(): Promise<void> {
    const { taskId, dataSourceId } = this.begun;
    if (taskId !== undefined) await this.#steps.run('task closed', () => this.#close(taskId));
    if (dataSourceId === undefined) return;
    await this.#steps.run('contacts deleted', async () => {
      for (const { id } of (await this.#contactsOf(dataSourceId)).rows) {
        await this.#post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId: id });
      }
    });
    await this.#steps.run('task and data source deleted', async () => {
      if (taskId !== undefined) await this.#post('/api/task/delete', { id: taskId });
      await this.#post('/api/dataSource/delete', { id: dataSourceId });
    });
  }

  async #close(id: string): Promise<void> {
    const found = await this.#service.statistics(id);
    if (found.status === status.draft) return;
    if (found.status === status.running || found.status === status.paused)
      await this.#post('/api/task/stop', { id, reason: 'smoke test' });
    const closed = await this.#post<{ status: number }>('/api/task/close', { id });
    expectEqual('status', closed.status, status.closed);
  }
}
