/**
 * Lists of contacts, called data sources: their contacts, and the directory by which contacts are
 * found.
 *
 * Contacts have sequence numbers, which are never reused, and 128 of these are a block. The
 * directory says how many contacts each block has, so that a page of contacts, and their total, are
 * found without reading contacts. A phone block has the packed phone numbers of a block, for
 * searches. A guard for each number keeps it unique in its data source.
 *
 * - A data source exists while its first directory page exists. `whileExists` makes that a
 *   condition of a transaction, and `deletePages` ends it: no writer of contacts succeeds
 *   afterwards.
 * - Every writer of contacts changes guard, contact, phone block and directory page in one
 *   transaction, on the versions that it has read. A writer that was too late changes nothing, and
 *   reads again. Writers of one process take turns.
 * - An import reserves whole blocks as an open range. Their counts stay 0 until its commit, so no
 *   reader sees its contacts before, and dialing waits in front of the range.
 * - Dialing marks a contact while it is called (`showInCall`), and a result changes its status,
 *   without a new version. A contact that was called and is deleted, or gets another number, leaves
 *   a pointer from its number, by which its calls are found.
 * - The do-not-call list is a data source too. Numbers that come at once wait in one item and are
 *   added together (`Exclusions`).
 *
 * If a process dies before its transaction, nothing has changed but a name or a pointer that no
 * contact needs. The tasks are brought forward after the transaction. If that is missed, their next
 * regular check finds the contact.
 */

import type { Agenda } from '../platform/agenda/agenda.ts';
import { type EffectRecord, once, type RequestKey } from '../platform/requests/effects.ts';
import { notFound } from '../platform/rules/errors.ts';
import { KeyedQueue } from '../platform/table/concurrency.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import type { Instant } from '../platform/time/time.ts';
import { contactOfItem } from './contact-items.ts';
import { readContactList, readVisible, type VisibleContacts } from './contacts-by-seq.ts';
import { readDataSourceSeen, readFieldNames, readFieldOrder } from './data-sources.ts';
import { dataSourceExists, noneGivenFrom, readAllPages, readDirectories, readNextSeq } from './directory.ts';
import { readOpenRanges } from './directory-page.ts';
import { Exclusions } from './exclusions.ts';
import {
  type Contact,
  type ContactPatch,
  type NamedContact,
  type NewContact,
  parseContactId,
} from './rules/contact.ts';
import type { ContactsSummary, HeldContacts } from './rules/data-source.ts';
import { timingFields } from './rules/own-times.ts';
import type { PhoneFilter } from './rules/phone-number.ts';
import {
  type ContactPage,
  type ContactQuery,
  readContactPage,
  scanContacts,
  searchSeqs,
} from './store/contact-reader.ts';
import { type Removal, removeNamed, removeSeqs } from './store/contact-removal.ts';
import { ContactSlot } from './store/contact-slot.ts';
import { ContactWriter } from './store/contact-writer.ts';

/** The contacts of data sources. */
export class Contacts {
  readonly #database: Database;
  readonly #writer: ContactWriter;
  readonly #agenda: Agenda;
  readonly #exclusions: Exclusions;
  /** Writers of one process take turns, because they would conflict on block and page. */
  readonly #turns = new KeyedQueue();

  constructor(database: Database, agenda: Agenda) {
    this.#database = database;
    this.#writer = new ContactWriter(database);
    this.#agenda = agenda;
    this.#exclusions = new Exclusions(database);
  }

  /** Whether the data source exists. */
  sourceExists(dataSourceId: string): Promise<boolean> {
    return dataSourceExists(this.#database, dataSourceId);
  }

  async count(dataSourceId: string): Promise<number> {
    return (await this.summary(dataSourceId)).contactCount;
  }

  /**
   * What the data source of an ending task holds. An import that ends while the contacts are
   * counted would be in the number and in the ranges, so the ranges are read before and after.
   */
  async readHeld(dataSourceId: string): Promise<HeldContacts> {
    const read = async () => {
      const ranges = await readOpenRanges(this.#database, dataSourceId);
      return ranges.map(({ firstSeq, endSeq }) => ({ firstSeq, endSeq }));
    };
    for (let before = await read(); ; ) {
      const { directory, version } = await readDataSourceSeen(this.#database, dataSourceId);
      const laterRanges = await read();
      if (JSON.stringify(laterRanges) === JSON.stringify(before))
        return { contactCount: directory.total, laterRanges, listVersion: version };
      before = laterRanges;
    }
  }

  async summary(dataSourceId: string): Promise<ContactsSummary> {
    const [summary] = await this.summaries([dataSourceId]);
    return summary as ContactsSummary;
  }

  /** In the order of the ids. An unknown id has no contacts. */
  async summaries(dataSourceIds: readonly string[]): Promise<ContactsSummary[]> {
    const directories = await readDirectories(this.#database, dataSourceIds);
    return directories.map(({ total, changeTime }) => ({ contactCount: total, changeTime }));
  }

  /** Like `count`, by one query. */
  async total(dataSourceId: string): Promise<number> {
    return (await readAllPages(this.#database, dataSourceId)).total;
  }

  /**
   * In the order in which they were added.
   * @throws ServiceError notFound if the data source does not exist
   */
  page(dataSourceId: string, query: ContactQuery): Promise<ContactPage> {
    return readContactPage(this.#database, dataSourceId, query);
  }

  /**
   * The ascending sequence numbers of the contacts whose phone number meets the filter.
   * @throws ServiceError notFound
   */
  search(dataSourceId: string, filter: PhoneFilter | 'none'): Promise<number[]> {
    return searchSeqs(this.#database, dataSourceId, filter);
  }

  /**
   * All contacts in the order in which they were added, in batches of some hundreds, with few of
   * them in memory.
   * @throws ServiceError notFound
   */
  scan(dataSourceId: string): AsyncGenerator<Contact[]> {
    return scanContacts(this.#database, dataSourceId);
  }

  /** The contacts of ascending sequence numbers that were visible before, without deleted ones. */
  among(dataSourceId: string, seqs: readonly number[]): Promise<Contact[]> {
    return readContactList(this.#database, dataSourceId, seqs);
  }

  /**
   * The next contacts from a sequence number on, and where to continue after them.
   * @throws ServiceError notFound
   */
  visibleFrom(
    dataSourceId: string,
    fromSeq: number,
    limit: number,
    visibleTo?: number,
  ): Promise<VisibleContacts> {
    return readVisible(this.#database, dataSourceId, fromSeq, limit, visibleTo);
  }

  /** The sequence number that the next contact gets. @throws ServiceError notFound */
  nextSeq(dataSourceId: string): Promise<number> {
    return readNextSeq(this.#database, dataSourceId);
  }

  /** A transaction step that fails if this sequence number or a later one was given out. */
  noneAddedFrom(dataSourceId: string, seq: number): TransactItem {
    return noneGivenFrom(this.#database, dataSourceId, seq);
  }

  /** The custom field names in use, without the contract's own, sorted. */
  fieldNames(dataSourceId: string): Promise<string[]> {
    return readFieldNames(this.#database, dataSourceId);
  }

  /**
   * All fields of the data source, including the phone number, in the order of the columns of its
   * imported files.
   */
  fieldOrder(dataSourceId: string): Promise<string[]> {
    return readFieldOrder(this.#database, dataSourceId);
  }

  /** @throws ServiceError notFound (data source, contact) */
  async get(dataSourceId: string, contactId: string): Promise<Contact> {
    const contact = await this.find(dataSourceId, contactId);
    if (contact !== undefined) return contact;
    await this.nextSeq(dataSourceId);
    throw notFound('contact');
  }

  async find(dataSourceId: string, contactId: string): Promise<Contact | undefined> {
    const seq = parseContactId(dataSourceId, contactId);
    return seq === undefined ? undefined : this.at(dataSourceId, seq);
  }

  async at(dataSourceId: string, seq: number): Promise<Contact | undefined> {
    const { contact } = await ContactSlot.read(this.#database, dataSourceId, seq);
    return contact && contactOfItem(dataSourceId, contact);
  }

  /** @throws ServiceError notFound (data source), conflict (number), invalid (too many names) */
  async add(dataSourceId: string, added: NewContact, now: number, requestKey?: RequestKey): Promise<Contact> {
    const contact = await this.#turns.run(dataSourceId, () =>
      once(this.#database, requestKey, 'contact#add', (effectRecord: EffectRecord<Contact>) =>
        this.#writer.add(dataSourceId, added, now, effectRecord),
      ),
    );
    await this.#bringTasksForward(dataSourceId, now);
    return contact;
  }

  /** Puts a number on the do-not-call list, if it is not listed yet. */
  exclude(phoneNumber: string, now: Instant): Promise<void> {
    return this.#exclusions.add(phoneNumber, now);
  }

  /** @throws ServiceError notFound, conflict (number), invalid (too many fields, names or bytes) */
  async update(
    dataSourceId: string,
    contactId: string,
    patch: ContactPatch,
    now: number,
    requestKey?: RequestKey,
  ): Promise<Contact> {
    const change = () =>
      once(this.#database, requestKey, 'contact#update', (effectRecord: EffectRecord<Contact>) =>
        this.#writer.update(dataSourceId, contactId, patch, now, effectRecord),
      );
    const contact = await (patch.phoneNumber === undefined
      ? change()
      : this.#turns.run(dataSourceId, change));
    // It may be callable now.
    if (timingFields.some((name) => patch.changes.has(name)))
      await this.#bringTasksForward(dataSourceId, now);
    return contact;
  }

  /** @throws ServiceError notFound */
  async remove(dataSourceId: string, contactId: string, now: number, requestKey?: RequestKey): Promise<void> {
    await this.#turns.run(dataSourceId, () =>
      once(this.#database, requestKey, 'contact#remove', (effectRecord) =>
        this.#writer.remove(dataSourceId, contactId, now, effectRecord),
      ),
    );
    await this.#wakeAfterRemoval(dataSourceId);
  }

  /** Removes those of the named contacts that exist. @throws ServiceError notFound (data source) */
  async removeAll(
    dataSourceId: string,
    named: readonly NamedContact[],
    now: number,
    requestKey?: RequestKey,
  ): Promise<Removal> {
    const removal = await this.#turns.run(dataSourceId, () =>
      removeNamed(this.#database, dataSourceId, named, now, requestKey),
    );
    await this.#wakeAfterRemoval(dataSourceId);
    return removal;
  }

  /** Removes the contacts of a few sequence numbers, and keeps nothing of them. */
  async erase(dataSourceId: string, seqs: readonly number[], now: number): Promise<void> {
    const erased = { dataSourceId, seqs, now, keepsNumbers: false };
    await this.#turns.run(dataSourceId, () => removeSeqs(this.#database, erased));
    await this.#wakeAfterRemoval(dataSourceId);
  }

  /** If no other contact is left to call, the task is complete. */
  #wakeAfterRemoval(dataSourceId: string): Promise<void> {
    return this.#bringTasksForward(dataSourceId, 0);
  }

  #bringTasksForward(dataSourceId: string, due: Instant): Promise<void> {
    return this.#agenda.bringGroupForward('calls', dataSourceId, due);
  }
}
