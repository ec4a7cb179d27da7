import type { Contacts } from '../contacts/contacts.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import { notFound } from '../platform/rules/errors.ts';
import type { Instant } from '../platform/time/time.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { CallRange, CallRecords, CallsPage } from './call-records.ts';
import {
  type Call,
  type CallFilter,
  type CallRecord,
  type CallRef,
  callFilter,
  callId,
  parseCallId,
} from './rules/call.ts';

type Dependencies = {
  tasks: Tasks;
  /** Finds calls through their task contacts. A call that has not ended is not found. */
  findEnded: (calls: readonly Call[]) => Promise<CallRef[]>;
  callRecords: CallRecords;
  /** Read at half the price. A deleted task or a changed contact may show a moment later. */
  lagging: { tasks: Tasks; contacts: Contacts };
};

/** Calls that have ended: those of a task, and single ones by their ids. */
export class CallReader {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Newest first. @throws ServiceError notFound (task) */
  async page(
    taskId: string,
    page: CallRange & { before?: string | undefined; pageSize: number },
    filter: CallFilter,
    now: Instant,
  ): Promise<CallsPage> {
    await this.#deps.tasks.find(taskId);
    return this.#deps.callRecords.page(taskId, page, callFilter(filter), now);
  }

  /**
   * `contact` is the present contact; `undefined` if it was deleted.
   * @throws ServiceError notFound (call)
   */
  async detail(id: string, now: Instant): Promise<{ call: CallRecord; contact: Contact | undefined }> {
    const call = (await this.among([id], now)).get(id);
    if (call === undefined) throw notFound('call');
    const [contact] = await this.#deps.lagging.contacts.among(call.dataSourceId, [call.seq]);
    return { call, contact };
  }

  /**
   * The records of these calls, by their ids. A call without a record is missing, and so is a call
   * of a deleted task, whose records are removed later.
   */
  async among(ids: readonly string[], now: Instant): Promise<Map<string, CallRecord>> {
    const calls = ids.flatMap((id) => parseCallId(id) ?? []);
    const [tasks, records] = await Promise.all([
      this.#deps.lagging.tasks.findAll([...new Set(calls.map(({ taskId }) => taskId))]),
      this.#recordsOf(calls, now),
    ]);
    const taskIds = new Set(tasks.map(({ id }) => id));
    const shown = records.filter(({ taskId }) => taskIds.has(taskId));
    return new Map(shown.map((record) => [callId(record), record]));
  }

  async #recordsOf(calls: readonly Call[], now: Instant): Promise<CallRecord[]> {
    const ended = await this.#deps.findEnded(calls);
    const records = await this.#deps.callRecords.read(ended, now);
    return records.filter((record) => record !== undefined);
  }
}
