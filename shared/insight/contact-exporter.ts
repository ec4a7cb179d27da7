import type { Contacts } from '../contacts/contacts.ts';
import {
  type Contact,
  contactStatus,
  knownFields,
  outcomeTitles,
  statusAt,
} from '../contacts/rules/contact.ts';
import { isSelected } from '../contacts/rules/contact-filter.ts';
import type { DataSource } from '../contacts/rules/data-source.ts';
import { type ContactSummary, noCall } from '../dialing/rules/task-contact-views.ts';
import type { TaskContacts } from '../dialing/task-contacts.ts';
import type { SheetContent } from '../files/xlsx-writer.ts';
import { ImportObjects } from '../imports/import-objects.ts';
import type { ImportRecords } from '../imports/import-records.ts';
import type { ExportFile } from '../platform/http/file-endpoint.ts';
import { invalid, notFound, ServiceError } from '../platform/rules/errors.ts';
import { isAmongContacts, type Task } from '../tasks/rules/task.ts';
import { mayOutliveSource } from '../tasks/rules/task-states.ts';
import {
  type ExportFormat,
  mapped,
  type RenderDependencies,
  renderFile,
  type Sheets,
  type Wording,
  type WordingOptions,
  wordingOf,
} from './export-file.ts';
import type { BlockedRow, PreflightReader } from './preflight-reader.ts';

type Dependencies = RenderDependencies & {
  contacts: Contacts;
  taskContacts: TaskContacts;
  records: ImportRecords;
  preflight: PreflightReader;
};

/** Contacts that are read for a file at a time: 300 KB at the usual size. */
const rowsAtOnce = 1000;

type ContactExport = WordingOptions & { format: ExportFormat };
/** `status`: which outcomes to list. `calls`: with a second sheet of all calls. */
type TaskExport = ContactExport & { status: number; calls?: boolean | undefined };
type SummedContact = { contact: Contact; summary: ContactSummary };

/**
 * Seconds in calls that reached the contact.
 * @returns undefined if there were more calls than are stored with it
 */
const talkTimeOf = ({ callCount, calls }: ContactSummary): number | undefined =>
  callCount > calls.length
    ? undefined
    : calls.reduce((sum, { outcome, duration }) => sum + (outcome === 'success' ? duration : 0), 0);

/** API Gateway streams at most 200 MB: about 1.3 million rows of 150 bytes. */
const rowsAtMost = 1_200_000;

/** Files for clients: their rows and columns. */
export class ContactExporter {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * `contacts_<timestamp>.<extension>` with all contacts of a data source.
   * @throws ServiceError invalid
   */
  async contactsOf(
    { id, dataSourceName }: DataSource,
    { format, ...options }: ContactExport,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const { contacts, formatTime, now } = this.#deps;
    const instead = 'split the list, or read it page by page';
    await this.#assertRoom(id, instead);
    const wording = wordingOf(options, formatTime);
    const exportedAt = now();
    const fields = await this.#fields(id, wording);
    const titles = wording.titles([...fields, 'status', 'callCount', 'createTime']);
    const rowOf = (contact: Contact) => [
      ...fieldCells(contact, fields),
      wording.status(statusAt(contact, exportedAt)),
      contact.callCount,
      wording.time(contact.createTime),
    ];
    const batches = mapped(contacts.scan(id), (batch) => batch.map(rowOf));
    const sheets: Sheets = [{ name: wording.sheet('contacts'), titles, batches }];
    const file = { name: 'contacts', ...shownAs(dataSourceName, wording), format, sheets, instead };
    return renderFile(this.#deps, file, signal);
  }

  /**
   * `task_contacts_<taskId>_<timestamp>.<extension>` with a task's contacts and their outcomes.
   * @throws ServiceError invalid
   */
  async taskContactsOf(
    task: Task,
    { format, status, calls = false, ...options }: TaskExport,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    if (calls && format === 'csv')
      throw invalid('calls', 'need a second sheet, which a CSV file does not have: use the format excel');
    const instead = 'export one status after the other';
    if (status === 0) await this.#assertRoom(task.dataSourceId, instead);
    const wording = wordingOf(options, this.#deps.formatTime);
    const fields = await this.#fields(task.dataSourceId, wording);
    const contacts = this.#contactSheet(task, status, fields, wording);
    const sheets: Sheets = calls ? [contacts, this.#callSheet(task, status, wording)] : [contacts];
    const shown = shownAs(task.taskName, wording);
    const file = { name: `task_contacts_${task.id}`, ...shown, format, sheets, instead };
    return renderFile(this.#deps, file, signal);
  }

  /** Called before anything is read. @throws ServiceError tooLarge */
  async #assertRoom(dataSourceId: string, instead: string): Promise<void> {
    const total = await this.#deps.contacts.total(dataSourceId);
    if (total <= rowsAtMost) return;
    throw new ServiceError(
      'TOO_MANY_CONTACTS',
      `the list has ${total} contacts, and a file at most ${rowsAtMost}: ${instead}`,
    );
  }

  /**
   * `not_called_<timestamp>.<extension>` with the contacts of a task that are on an exclusion list,
   * and which list.
   */
  async blockedOf(
    task: Task,
    { format, ...options }: ContactExport,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const wording = wordingOf(options, this.#deps.formatTime);
    const fields = await this.#fields(task.dataSourceId, wording);
    const sheet = {
      name: wording.sheet('contacts'),
      titles: wording.titles([...fields, 'blockedBy']),
      batches: this.#blockedRows(task, fields, wording),
    };
    const shown = `${task.taskName}_${wording.standing('blocked')}`;
    const file = {
      name: 'not_called',
      ...shownAs(shown, wording),
      format,
      sheets: [sheet] as Sheets,
      instead: 'split the list',
    };
    return renderFile(this.#deps, file, signal);
  }

  async *#blockedRows(task: Task, fields: readonly string[], wording: Wording): AsyncGenerator<string[][]> {
    const { contacts, preflight, now } = this.#deps;
    const blocked = await preflight.blockedOf(task, now());
    for (let from = 0; from < blocked.length; from += rowsAtOnce) {
      const some = new Map(blocked.slice(from, from + rowsAtOnce).map((each) => [each.seq, each]));
      const rows = await contacts.among(task.dataSourceId, [...some.keys()]);
      const selected = rows.filter((contact) => isSelected(task.contactFilter, contact));
      yield selected.map((contact) => [
        ...fieldCells(contact, fields),
        blockedByCell(some.get(contact.seq)!, wording),
      ]);
    }
  }

  #contactSheet(task: Task, filter: number, fields: readonly string[], wording: Wording): SheetContent {
    const { isForPeople } = wording;
    const rowOf = ({ contact, summary }: SummedContact) =>
      withId(isForPeople, contact.id, [
        ...fieldCells(contact, fields),
        wording.status(summary.status),
        summary.callCount,
        ...wording.durations(summary.callDuration, talkTimeOf(summary)),
        wording.time(summary.lastCallTime),
        wording.standing(summary.standing),
        wording.reason(summary.reason),
      ]);
    const [duration = '', ...others] = outcomeTitles;
    const titles = [...fields, 'status', 'callCount', ...wording.durationTitles(duration), ...others];
    return {
      name: wording.sheet('contacts'),
      titles: wording.titles(withId(isForPeople, 'contactId', titles)),
      batches: mapped(this.#summed(task, filter), (batch) => batch.map(rowOf)),
    };
  }

  /**
   * Every stored call, in the order of the contacts. Reads the contacts again, because their calls
   * do not fit in memory.
   */
  #callSheet(task: Task, filter: number, wording: Wording): SheetContent {
    const { isForPeople } = wording;
    const fields = ['phoneNumber', 'customerName'];
    const rowsOf = ({ contact, summary }: SummedContact) =>
      summary.calls.map((call) =>
        withId(isForPeople, contact.id, [
          ...fieldCells(contact, fields),
          wording.time(call.time),
          wording.standing(call.outcome),
          wording.reason(call.reason),
          ...wording.durations(call.duration, call.outcome === 'success' ? call.duration : 0),
        ]),
      );
    const titles = [
      ...fields,
      'callTime',
      'callOutcome',
      'callReason',
      ...wording.durationTitles('callDuration'),
    ];
    return {
      name: wording.sheet('calls'),
      titles: wording.titles(withId(isForPeople, 'contactId', titles)),
      batches: mapped(this.#summed(task, filter), (batch) => batch.flatMap(rowsOf)),
    };
  }

  /**
   * The contacts whose status the filter selects, in batches. For an ended task they are those it
   * had, and none if its data source was deleted.
   */
  async *#summed(task: Task, filter: number): AsyncGenerator<SummedContact[]> {
    const { contacts, taskContacts, now } = this.#deps;
    if (mayOutliveSource(task.status) && !(await contacts.sourceExists(task.dataSourceId))) return;
    for await (const batch of contacts.scan(task.dataSourceId)) {
      const from = batch[0]?.seq ?? 0;
      const to = (batch.at(-1)?.seq ?? -1) + 1;
      const known = await taskContacts.summaries(task, from, to, now());
      yield batch
        .filter((contact) => known.has(contact.seq) || isAmongContacts(task, contact))
        .map((contact) => ({ contact, summary: known.get(contact.seq) ?? noCall('notDialed') }))
        .filter(({ summary }) => isWanted(filter, summary));
    }
  }

  /** The columns of a contact's fields. For people they are in the order of the imported file. */
  async #fields(dataSourceId: string, { isForPeople }: Wording): Promise<string[]> {
    const { contacts } = this.#deps;
    if (isForPeople) return contacts.fieldOrder(dataSourceId);
    return ['phoneNumber', ...knownFields, ...(await contacts.fieldNames(dataSourceId))];
  }

  /**
   * `rejected_<importId>_<timestamp>.<extension>` with the rows that an import rejected.
   * @throws ServiceError notFound if there is no such import or its rows have expired; conflict
   *   while it runs or if it FAILED
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
      throw new ServiceError(
        'IMPORT_FAILED',
        `${found.successCount > 0 ? 'the import failed' : 'the whole file was refused'}: ${found.message}`,
      );
    if (found.status !== 'DONE') throw new ServiceError('IMPORT_RUNNING', 'the import has not ended yet');
    const rejected = await new ImportObjects(this.#deps).getRejected(found);
    if (rejected === undefined)
      throw new ServiceError('FILE_NOT_FOUND', 'the rejected rows of this import are no longer stored');
    const sheet = { name: 'Contacts', ...rejected };
    const instead = 'import the file in parts';
    return renderFile(this.#deps, { name: `rejected_${importId}`, format, sheets: [sheet], instead }, signal);
  }
}

const shownAs = (name: string, { isForPeople, time }: Wording) =>
  isForPeople ? { shown: { name, time } } : {};

/**
 * A contact's id comes before its cells. For people it comes last, so that the columns of their
 * file come first.
 */
const withId = <T>(isForPeople: boolean, id: T, cells: readonly T[]): T[] =>
  isForPeople ? [...cells, id] : [id, ...cells];

const blockedByCell = ({ lists, isEmergency, isOver }: BlockedRow, wording: Wording): string => {
  const emergency = isEmergency ? [wording.emergency] : [];
  const over = isOver ? [wording.callBefore] : [];
  return [...emergency, ...lists.map(wording.list), ...over].join('; ');
};

const fieldCells = ({ phoneNumber, fields }: Contact, names: readonly string[]): string[] =>
  names.map((name) => {
    if (name === 'phoneNumber') return phoneNumber;
    return Object.hasOwn(fields, name) ? (fields[name] ?? '') : '';
  });

/** By the codes of the export's `status`: 0 all, 1 success, 2 failed or no answer, 3 not dialed. */
const isWanted = (filter: number, { status }: ContactSummary): boolean => {
  if (filter === 1) return status === contactStatus.success;
  if (filter === 2) return status === contactStatus.failed || status === contactStatus.noAnswer;
  return filter === 3 ? status === contactStatus.notDialed : true;
};
