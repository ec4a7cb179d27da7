import type { Readable } from 'node:stream';
import { type Contact, knownFields, outcomeTitles, statusAt } from '../domain/contact.ts';
import { outcomeStatus } from '../domain/dialing.ts';
import type { Task } from '../domain/task.ts';
import { compactTime, type FormatTime, type Instant } from '../domain/time.ts';
import { csvRows } from '../files/csv/csv-writer.ts';
import { xlsxRows } from '../files/excel/xlsx-writer.ts';
import type { Cell } from '../files/workbook.ts';
import { count } from '../observability/metrics.ts';
import type { Contacts } from '../store/contacts/contacts.ts';
import type { Dialer } from '../store/dialing/dialer.ts';
import type { TaskOutcome } from '../store/dialing/task-contacts.ts';
import type { LazyObjects } from '../store/objects/objects.ts';

/** Files below this prefix are made for one download and expire. */
export const exportPrefix = 'exports/';

export type ExportFormat = 'csv' | 'excel';
export type ExportFile = { fileName: string; contentType: string; size: number; body: Readable };

const kinds = {
  csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8', write: csvRows },
  excel: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: xlsxRows,
  },
} as const;

type Tools = {
  contacts: Contacts;
  dialer: Dialer;
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
};

/** The rows of some contacts, in their order; those left out are not asked for. */
type Batches = AsyncIterable<readonly (readonly Cell[])[]>;

/** Renders contacts into an object of the bucket, row by row, and opens it for the client. */
export class ContactExporter {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
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
    return this.#render('contacts', format, titles, batches, signal);
  }

  /** `task_contacts_<taskId>_<timestamp>.<extension>` with the outcomes of a task's contacts. */
  async outcomesOf(
    { id, dataSourceId }: Task,
    format: ExportFormat,
    filter: number,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const { contacts, dialer, formatTime, now } = this.#tools;
    const custom = await contacts.fieldNames(dataSourceId);
    const titles = ['contactId', ...fieldTitles(custom), 'status', 'callCount', ...outcomeTitles];
    const rowOf = (contact: Contact, outcome: TaskOutcome) => [
      contact.id,
      ...fieldCells(contact, custom),
      outcome.status,
      outcome.callCount,
      outcome.callDuration,
      outcome.lastCallTime === null ? '' : formatTime(outcome.lastCallTime),
    ];
    const batches = mapped(contacts.scan(dataSourceId), async (batch) => {
      const outcomes = await dialer.outcomes(id, batch[0]?.seq ?? 0, (batch.at(-1)?.seq ?? -1) + 1, now());
      return batch
        .map((contact) => ({ contact, outcome: outcomes.get(contact.seq) ?? notDialed }))
        .filter(({ outcome }) => isWanted(filter, outcome))
        .map(({ contact, outcome }) => rowOf(contact, outcome));
    });
    return this.#render(`task_contacts_${id}`, format, titles, batches, signal);
  }

  async #render(
    name: string,
    format: ExportFormat,
    titles: readonly string[],
    batches: Batches,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const { now, newId, formatTime } = this.#tools;
    const objects = await this.#tools.objects();
    const { extension, contentType, write } = kinds[format];
    const fileName = `${name}_${compactTime(formatTime(now()))}.${extension}`;
    const key = `${exportPrefix}${newId()}/${fileName}`;
    await objects.putStream(key, write(titles, batches), contentType, signal === undefined ? {} : { signal });
    const file = await objects.open(key);
    count('ExportBytes', file.size);
    return { fileName, contentType, ...file };
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

const notDialed: TaskOutcome = { status: 0, callCount: 0, callDuration: 0, lastCallTime: null };

/** By the codes of the export's `status`: 0 all, 1 success, 2 failed or no answer, 3 not dialed. */
const isWanted = (filter: number, { status }: TaskOutcome): boolean => {
  if (filter === 1) return status === outcomeStatus.success;
  if (filter === 2) return status === outcomeStatus.failed || status === outcomeStatus.noAnswer;
  return filter === 3 ? status === outcomeStatus.notDialed : true;
};
