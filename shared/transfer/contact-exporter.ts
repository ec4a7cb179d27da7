import type { Readable } from 'node:stream';
import { type Contact, knownFields } from '../domain/contact.ts';
import { compactTime, type FormatTime, type Instant } from '../domain/time.ts';
import { csvRows } from '../files/csv-writer.ts';
import { xlsxRows } from '../files/xlsx-writer.ts';
import type { Contacts } from '../store/contacts.ts';
import type { Objects } from '../store/objects.ts';

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
  objects: Objects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
};

/** The rows of some contacts, in their order; those left out are not asked for. */
export type Batches = AsyncIterable<readonly (readonly string[])[]>;

/** Renders contacts into an object of the bucket, row by row, and opens it for the client. */
export class ContactExporter {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** `contacts_<timestamp>.<extension>` with all contacts of a data source. */
  async contactsOf(dataSourceId: string, format: ExportFormat, signal?: AbortSignal): Promise<ExportFile> {
    const { contacts, formatTime } = this.#tools;
    const custom = await contacts.fieldNames(dataSourceId);
    const titles = [...fieldTitles(custom), 'status', 'callCount', 'createTime'];
    const rowOf = (contact: Contact) => [
      ...fieldCells(contact, custom),
      String(contact.status),
      String(contact.callCount),
      formatTime(contact.createTime),
    ];
    const batches = mapped(contacts.scan(dataSourceId), (batch) => batch.map(rowOf));
    return this.render('contacts', format, titles, batches, signal);
  }

  async render(
    name: string,
    format: ExportFormat,
    titles: readonly string[],
    batches: Batches,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const { objects, now, newId, formatTime } = this.#tools;
    const { extension, contentType, write } = kinds[format];
    const fileName = `${name}_${compactTime(formatTime(now()))}.${extension}`;
    const key = `${exportPrefix}${newId()}/${fileName}`;
    await objects.putStream(key, write(titles, batches), contentType, signal === undefined ? {} : { signal });
    return { fileName, contentType, ...(await objects.open(key)) };
  }
}

export const fieldTitles = (custom: readonly string[]) => ['phoneNumber', ...knownFields, ...custom];

export const fieldCells = ({ phoneNumber, fields }: Contact, custom: readonly string[]): string[] => {
  const cellOf = (name: string) => (Object.hasOwn(fields, name) ? (fields[name] ?? '') : '');
  return [phoneNumber, ...knownFields.map(cellOf), ...custom.map(cellOf)];
};

export async function* mapped<A, B>(
  items: AsyncIterable<A>,
  map: (item: A) => B | Promise<B>,
): AsyncGenerator<B> {
  for await (const item of items) yield map(item);
}
