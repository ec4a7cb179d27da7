import { type CallFilter, callFilter } from '../../domain/calls/call-filter.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { type Call, parseCallId } from '../../domain/dialing/call.ts';
import { callRefs } from '../../domain/dialing/task-contact.ts';
import { notFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import type { CallRange, CallRecords, CallsPage } from '../calls/index.ts';
import type { Contacts } from '../contacts/index.ts';
import type { TaskContacts } from '../dialing/index.ts';
import type { Tasks } from '../tasks/index.ts';

type Dependencies = {
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  callRecords: CallRecords;
};

/** Calls that have ended: those of a task, and one by its id. */
export class CallReader {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The newest first. @throws ServiceError notFound (task) */
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
   * `contact`: as it is now; `undefined`: it was deleted. The records of a deleted task are not shown, although they are removed
   * later. @throws ServiceError notFound (call)
   */
  async detail(callId: string, now: Instant): Promise<{ call: CallRecord; contact: Contact | undefined }> {
    const named = parseCallId(callId);
    if (named === undefined) throw notFound('call');
    const [call, [task]] = await Promise.all([
      this.#find(named, now),
      this.#deps.tasks.findAll([named.taskId]),
    ]);
    if (call === undefined || task === undefined) throw notFound('call');
    const [contact] = await this.#deps.contacts.among(call.dataSourceId, [call.seq]);
    return { call, contact };
  }

  async #find(call: Call, now: Instant): Promise<CallRecord | undefined> {
    const [contact] = await this.#deps.taskContacts.read(call.taskId, [call.seq]);
    const refs = contact === undefined ? [] : callRefs(contact).filter(({ nonce }) => nonce === call.nonce);
    const [record] = await this.#deps.callRecords.read(refs, now);
    return record;
  }
}
