import { type Contact, knownFields, outcomeTitles, statusAt } from '../domain/contacts/contact.ts';
import { outcomeStatus } from '../domain/dialing/dialing.ts';
import type { TaskOutcome } from '../domain/dialing/task-contact-views.ts';
import { notFound, ServiceError } from '../domain/errors.ts';
import { isAmongContacts, type Task } from '../domain/tasks/task.ts';
import type { Contacts } from '../store/contacts/index.ts';
import type { TaskContacts } from '../store/dialing/index.ts';
import type { ImportRecords } from '../store/imports/index.ts';
import { type ExportFile, type ExportFormat, type RenderDependencies, renderFile } from './file-renderer.ts';
import { ImportObjects } from './import-objects.ts';

type Dependencies = RenderDependencies & {
  contacts: Contacts;
  taskContacts: TaskContacts;
  records: ImportRecords;
};

/** Files for clients: which rows and columns they have. */
export class ContactExporter {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** `contacts_<timestamp>.<extension>` with all contacts of a data source. */
  async contactsOf(dataSourceId: string, format: ExportFormat, signal?: AbortSignal): Promise<ExportFile> {
    const { contacts, formatTime, now } = this.#deps;
    const exportedAt = now();
    const custom = await contacts.fieldNames(dataSourceId);
    const titles = [...fieldTitles(custom), 'status', 'callCount', 'createTime'];
    const rowOf = (contact: Contact) => [
      ...fieldCells(contact, custom),
      statusAt(contact, exportedAt),
      contact.callCount,
      formatTime(contact.createTime),
    ];
    const batches = mapped(contacts.scan(dataSourceId), (batch) => batch.map(rowOf));
    return renderFile(this.#deps, { name: 'contacts', format, titles, batches }, signal);
  }

  /** `task_contacts_<taskId>_<timestamp>.<extension>` with the outcomes of a task's contacts. */
  async outcomesOf(
    task: Task,
    format: ExportFormat,
    filter: number,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const { id, dataSourceId } = task;
    const { contacts, taskContacts, formatTime, now } = this.#deps;
    const custom = await contacts.fieldNames(dataSourceId);
    const titles = ['contactId', ...fieldTitles(custom), 'status', 'callCount', ...outcomeTitles];
    const rowOf = (contact: Contact, outcome: TaskOutcome) => [
      contact.id,
      ...fieldCells(contact, custom),
      outcome.status,
      outcome.callCount,
      outcome.callDuration,
      outcome.lastCallTime === null ? '' : formatTime(outcome.lastCallTime),
      outcome.outcome,
      outcome.reason ?? '',
    ];
    const batches = mapped(contacts.scan(dataSourceId), async (batch) => {
      const outcomes = await taskContacts.outcomes(
        id,
        batch[0]?.seq ?? 0,
        (batch.at(-1)?.seq ?? -1) + 1,
        now(),
      );
      return batch
        .filter((contact) => isAmongContacts(task, contact))
        .map((contact) => ({ contact, outcome: outcomes.get(contact.seq) ?? notDialed }))
        .filter(({ outcome }) => isWanted(filter, outcome))
        .map(({ contact, outcome }) => rowOf(contact, outcome));
    });
    return renderFile(this.#deps, { name: `task_contacts_${id}`, format, titles, batches }, signal);
  }

  /**
   * `rejected_<importId>_<timestamp>.<extension>` with the rows that an import rejected. @throws ServiceError
   * notFound when there is no such import or its rows have expired, conflict while it runs or when it FAILED
   */
  async rejectedRowsOf(
    dataSourceId: string,
    importId: string,
    format: ExportFormat,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const found = await this.#deps.records.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    if (found.status === 'FAILED')
      throw new ServiceError('IMPORT_FAILED', `the whole file was refused: ${found.message}`);
    if (found.status !== 'DONE') throw new ServiceError('IMPORT_RUNNING', 'the import has not ended yet');
    const rejected = await new ImportObjects(this.#deps).getRejected(found);
    if (rejected === undefined)
      throw new ServiceError('FILE_NOT_FOUND', 'the rejected rows of this import are no longer stored');
    const content = { name: `rejected_${importId}`, format, titles: rejected.titles };
    return renderFile(this.#deps, { ...content, batches: inOneBatch(rejected.rows) }, signal);
  }
}

const fieldTitles = (custom: readonly string[]) => ['phoneNumber', ...knownFields, ...custom];

const fieldCells = ({ phoneNumber, fields }: Contact, custom: readonly string[]): string[] => {
  const cellOf = (name: string) => (Object.hasOwn(fields, name) ? (fields[name] ?? '') : '');
  return [phoneNumber, ...knownFields.map(cellOf), ...custom.map(cellOf)];
};

async function* mapped<A, B>(items: AsyncIterable<A>, map: (item: A) => B | Promise<B>): AsyncGenerator<B> {
  for await (const item of items) yield map(item);
}

async function* inOneBatch<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}

const notDialed: TaskOutcome = {
  status: 0,
  callCount: 0,
  callDuration: 0,
  lastCallTime: null,
  outcome: 'notDialed',
  reason: null,
};

/** By the codes of the export's `status`: 0 all, 1 success, 2 failed or no answer, 3 not dialed. */
const isWanted = (filter: number, { status }: TaskOutcome): boolean => {
  if (filter === 1) return status === outcomeStatus.success;
  if (filter === 2) return status === outcomeStatus.failed || status === outcomeStatus.noAnswer;
  return filter === 3 ? status === outcomeStatus.notDialed : true;
};
