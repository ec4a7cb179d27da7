import { type Contact, knownFields, outcomeTitles, statusAt } from '../domain/contacts/contact.ts';
import { outcomeStatus } from '../domain/dialing/dialing.ts';
import type { TaskOutcome } from '../domain/dialing/task-contact-views.ts';
import type { Task } from '../domain/tasks/task.ts';
import type { Contacts } from '../store/contacts/index.ts';
import type { TaskContacts } from '../store/dialing/index.ts';
import { type ExportFile, type ExportFormat, FileRenderer, type RenderTools } from './file-renderer.ts';

type Tools = RenderTools & { contacts: Contacts; taskContacts: TaskContacts };

/** Exports of contacts: which rows and columns they have. */
export class ContactExporter {
  readonly #tools: Tools;
  readonly #renderer: FileRenderer;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#renderer = new FileRenderer(tools);
  }

  /** `contacts_<timestamp>.<extension>` with all contacts of a data source. */
  async contactsOf(dataSourceId: string, format: ExportFormat, signal?: AbortSignal): Promise<ExportFile> {
    const { contacts, formatTime, now } = this.#tools;
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
    return this.#renderer.render('contacts', format, titles, batches, signal);
  }

  /** `task_contacts_<taskId>_<timestamp>.<extension>` with the outcomes of a task's contacts. */
  async outcomesOf(
    { id, dataSourceId }: Task,
    format: ExportFormat,
    filter: number,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const { contacts, taskContacts, formatTime, now } = this.#tools;
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
        .map((contact) => ({ contact, outcome: outcomes.get(contact.seq) ?? notDialed }))
        .filter(({ outcome }) => isWanted(filter, outcome))
        .map(({ contact, outcome }) => rowOf(contact, outcome));
    });
    return this.#renderer.render(`task_contacts_${id}`, format, titles, batches, signal);
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
