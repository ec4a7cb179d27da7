import type { EffectRecord } from '../../platform/requests/effects.ts';
import { notFound } from '../../platform/rules/errors.ts';
import { type Database, Lost, type TransactItem } from '../../platform/table/database.ts';
import { ifAbsent, onlyIf, setIfUnchanged, type Update } from '../../platform/table/expressions.ts';
import { type Item, keys } from '../../platform/table/keys.ts';
import { optimistic, transactNamed, unlessLostOnce } from '../../platform/table/optimistic.ts';
import { ownZoneOf } from '../../platform/time/schedule.ts';
import { contactItem, contactOfItem, ifNotLeasedSince, rememberNumbers } from '../contact-items.ts';
import { assertSpelling, rememberFields } from '../data-sources.ts';
import { readNextSeq } from '../directory.ts';
import {
  type Contact,
  type ContactPatch,
  customNames,
  type Fields,
  type NewContact,
  parseContactId,
  patched,
  zonesAmong,
} from '../rules/contact.ts';
import { phoneTaken, WaitingContacts } from '../waiting-contacts.ts';
import { removeSeqs } from './contact-removal.ts';
import { ContactSlot, type SlotParts } from './contact-slot.ts';

const versionOf = (contact: Item) => contact.v as number;

/** Does not change status and call count, because dialing changes them at the same time. */
const editOf = (contact: Item, { phoneNumber, fields }: NewContact, now: number): Update =>
  setIfUnchanged(versionOf(contact), { phone: phoneNumber, fields: JSON.stringify(fields), updated: now });

const withRecord = ([effectRecord]: TransactItem[]): Record<string, TransactItem> =>
  effectRecord ? { effectRecord } : {};

const freshNames = (before: Fields, after: Fields): string[] => {
  const known = customNames(before);
  return customNames(after).filter((name) => !known.includes(name));
};

/** Adds, changes and removes single contacts. Numbers stay unique and counts exact. */
export class ContactWriter {
  readonly #database: Database;
  readonly #waiting: WaitingContacts;

  constructor(database: Database) {
    this.#database = database;
    this.#waiting = new WaitingContacts(database);
  }

  /**
   * A contact that loses to another writer, or comes while others wait, is added together with
   * others.
   * @throws ServiceError notFound (data source), conflict (phone number), invalid (too many field
   *   names), TOO_MANY_CHANGES
   */
  async add(
    dataSourceId: string,
    added: NewContact,
    now: number,
    effectRecord: EffectRecord<Contact>,
  ): Promise<Contact> {
    const seq = await readNextSeq(this.#database, dataSourceId);
    const names = customNames(added.fields);
    await assertSpelling(this.#database, dataSourceId, names);
    await rememberFields(this.#database, dataSourceId, { names, zones: zonesAmong([added]) });
    const [slot, othersWait] = await Promise.all([
      ContactSlot.readFree(this.#database, dataSourceId, seq),
      this.#waiting.isAny(dataSourceId, now),
    ]);
    const alone =
      !othersWait &&
      (await unlessLostOnce(() => this.#addAlone(slot, dataSourceId, added, now, effectRecord)));
    return alone || this.#waiting.add(dataSourceId, added, now, effectRecord);
  }

  async #addAlone(
    slot: ContactSlot,
    dataSourceId: string,
    added: NewContact,
    now: number,
    effectRecord: EffectRecord<Contact>,
  ): Promise<Contact> {
    if (!slot.isNext) throw new Lost();
    const { seq } = slot;
    await slot.announce([added.phoneNumber]);
    const contact = contactItem(dataSourceId, seq, added, now);
    const guard = { ...keys.phone(dataSourceId, added.phoneNumber), seq };
    const failed = await transactNamed<string>(this.#database, {
      guard: this.#database.putOf(guard, ifAbsent),
      contact: this.#database.putOf(contact),
      ...slot.add([added.phoneNumber], now),
      ...withRecord(effectRecord(contactOfItem(dataSourceId, contact))),
    });
    if (failed.has('guard')) throw phoneTaken(added.phoneNumber);
    if (failed.size > 0) throw new Lost();
    return contactOfItem(dataSourceId, contact);
  }

  /** @throws ServiceError notFound, conflict (number), invalid (too many fields, names or bytes) */
  async update(
    dataSourceId: string,
    id: string,
    patch: ContactPatch,
    now: number,
    effectRecord: EffectRecord<Contact>,
  ): Promise<Contact> {
    return optimistic(async () => {
      const parts = patch.phoneNumber === undefined ? 'none' : 'block and first page';
      const { slot, item } = await this.#existing(dataSourceId, id, parts);
      const before = contactOfItem(dataSourceId, item);
      await assertSpelling(this.#database, dataSourceId, [...patch.changes.keys()]);
      const after = patched(before, patch);
      const names = freshNames(before.fields, after.fields);
      const isMoved = ownZoneOf(before.fields) !== ownZoneOf(after.fields);
      const zones = isMoved ? zonesAmong([after]) : [];
      await rememberFields(this.#database, dataSourceId, { names, zones });
      if (after.phoneNumber !== before.phoneNumber) {
        const changed = { ...before, ...after, updateTime: now };
        await this.#changePhone(slot, item, before, after, now, effectRecord(changed));
        return changed;
      }
      return this.#edit(slot, item, { before, after, now }, effectRecord);
    });
  }

  /**
   * Keeps the phone number. The answer to a request with a key is fixed before the write, because
   * dialing may change the contact right after it.
   */
  async #edit(
    { seq }: ContactSlot,
    item: Item,
    { before, after, now }: { before: Contact; after: NewContact; now: number },
    effectRecord: EffectRecord<Contact>,
  ): Promise<Contact> {
    const { dataSourceId } = before;
    const key = keys.contact(dataSourceId, seq);
    const changed = { ...before, ...after, updateTime: now };
    const records = effectRecord(changed);
    if (records.length === 0) {
      return contactOfItem(dataSourceId, await this.#database.update(key, editOf(item, after, now)));
    }
    await this.#database.transact([this.#database.updateOf(key, editOf(item, after, now)), ...records]);
    return changed;
  }

  /** @throws ServiceError notFound */
  async remove(
    dataSourceId: string,
    id: string,
    now: number,
    effectRecord: EffectRecord<true>,
  ): Promise<true> {
    const seq = parseContactId(dataSourceId, id);
    const seqs = seq === undefined ? [] : [seq];
    const removed = await removeSeqs(this.#database, { dataSourceId, seqs, now, keepsNumbers: true }, () =>
      effectRecord(true),
    );
    if (removed.length === 0) return this.#missing(dataSourceId);
    return true;
  }

  async #changePhone(
    slot: ContactSlot,
    item: Item,
    before: Contact,
    after: NewContact,
    now: number,
    records: TransactItem[],
  ) {
    const { dataSourceId, seq } = before;
    await rememberNumbers(this.#database, dataSourceId, [item]);
    const edit = onlyIf(editOf(item, after, now), ifNotLeasedSince(item));
    const failed = await transactNamed<string>(this.#database, {
      newGuard: this.#database.putOf({ ...keys.phone(dataSourceId, after.phoneNumber), seq }, ifAbsent),
      oldGuard: this.#database.deleteOf(keys.phone(dataSourceId, before.phoneNumber)),
      contact: this.#database.updateOf(keys.contact(dataSourceId, seq), edit),
      ...slot.changePhone(after.phoneNumber, now),
      ...withRecord(records),
    });
    // If the contact changed since it was read, it may have the new number itself, so it is read
    // again.
    if (failed.has('newGuard') && !failed.has('contact')) throw phoneTaken(after.phoneNumber);
    if (failed.size > 0) throw new Lost();
  }

  async #existing(dataSourceId: string, id: string, parts: SlotParts) {
    const seq = parseContactId(dataSourceId, id);
    if (seq !== undefined) {
      const slot = await ContactSlot.read(this.#database, dataSourceId, seq, parts);
      if (slot.contact !== undefined) return { slot, item: slot.contact };
    }
    return this.#missing(dataSourceId);
  }

  /** @throws ServiceError notFound (data source, contact) */
  async #missing(dataSourceId: string): Promise<never> {
    await readNextSeq(this.#database, dataSourceId);
    throw notFound('contact');
  }
}
