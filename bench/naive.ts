import { type Contact, contactId, contactStatus, type NewContact } from '../shared/contacts/rules/contact.ts';
import type { Database } from '../shared/platform/table/database.ts';
import type { Item } from '../shared/platform/table/keys.ts';
import { seededFields, seededPhone, seedTime } from '../test/support/engines/seed-contacts.ts';

type Row = Item & { phoneNumber: string; status: number };

const partition = (dataSourceId: string) => `CONTACTS#${dataSourceId}`;

const rowOf = (dataSourceId: string, seq: number, { phoneNumber, fields }: NewContact): Row => ({
  pk: partition(dataSourceId),
  sk: contactId(dataSourceId, seq),
  dataSourceId,
  phoneNumber,
  ...fields,
  status: contactStatus.notDialed,
  callCount: 0,
  createTime: '2023-11-14 22:13:20',
});

export function* naiveItems(dataSourceId: string, count: number): Generator<Item> {
  for (let seq = 0; seq < count; seq++) {
    yield rowOf(dataSourceId, seq, { phoneNumber: seededPhone(seq), fields: seededFields(seq) });
  }
}

export type NaivePage = { total: number; rows: Row[] };

/**
 * The contacts of a data source as a first version would store them: one item each. An operation
 * that needs an order, a total, a phone number or a status reads all of them. `everything` may
 * return them from memory, so that a million contacts are read and counted once for all operations.
 */
export class NaiveContacts {
  readonly #database: Database;
  readonly #dataSourceId: string;
  readonly #everything: () => Promise<Row[]>;

  constructor(database: Database, dataSourceId: string, everything?: () => Promise<Row[]>) {
    this.#database = database;
    this.#dataSourceId = dataSourceId;
    this.#everything = everything ?? (() => this.readAll());
  }

  async readAll(): Promise<Row[]> {
    const rows = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': partition(this.#dataSourceId) },
    });
    return rows as Row[];
  }

  async page(offset: number, limit: number, phonePart = ''): Promise<NaivePage> {
    const rows = (await this.#everything()).filter(({ phoneNumber }) => phoneNumber.includes(phonePart));
    return { total: rows.length, rows: rows.slice(offset, offset + limit) };
  }

  async add(seq: number, contact: NewContact): Promise<void> {
    await this.#assertFree(contact.phoneNumber);
    await this.#database.put(rowOf(this.#dataSourceId, seq, contact));
  }

  async edit(seq: number, address: string): Promise<void> {
    await this.#set(seq, 'address', address);
  }

  async changePhone(seq: number, phoneNumber: string): Promise<void> {
    await this.#assertFree(phoneNumber);
    await this.#set(seq, 'phoneNumber', phoneNumber);
  }

  async remove(seq: number): Promise<void> {
    await this.#database.delete({
      pk: partition(this.#dataSourceId),
      sk: contactId(this.#dataSourceId, seq),
    });
  }

  async import(firstSeq: number, contacts: readonly NewContact[]): Promise<void> {
    const taken = new Set((await this.#everything()).map(({ phoneNumber }) => phoneNumber));
    const fresh = contacts.filter(({ phoneNumber }) => !taken.has(phoneNumber));
    await this.#database.putAll(fresh.map((contact, i) => rowOf(this.#dataSourceId, firstSeq + i, contact)));
  }

  /** Marks the next contacts to call as in a call. */
  async lease(limit: number): Promise<void> {
    const isWaiting = ({ status }: Row) => status === contactStatus.notDialed;
    const waiting = (await this.#everything()).filter(isWaiting).slice(0, limit);
    await Promise.all(waiting.map((row) => this.#setStatus(row, 4)));
  }

  async result(seq: number, status: Contact['status']): Promise<void> {
    await this.#setStatus(rowOf(this.#dataSourceId, seq, { phoneNumber: '', fields: {} }), status);
    await this.#database.update(
      { pk: 'TASK', sk: this.#dataSourceId },
      {
        UpdateExpression: 'ADD callCount :one SET lastCall = :now',
        ExpressionAttributeValues: { ':one': 1, ':now': seedTime },
      },
    );
  }

  /** Each failed contact is written once, to be called again. */
  async recall(isFailed: (row: Row) => boolean): Promise<number> {
    const failed = (await this.#everything()).filter(isFailed);
    await this.#database.putAll(failed.map((row) => ({ ...row, status: contactStatus.notDialed })));
    return failed.length;
  }

  async #assertFree(phoneNumber: string): Promise<void> {
    const rows = await this.#everything();
    if (rows.some((row) => row.phoneNumber === phoneNumber))
      throw new Error('the phone number is already in use');
  }

  #setStatus = (row: Row, status: number) =>
    this.#database.update(
      { pk: row.pk, sk: row.sk },
      {
        UpdateExpression: 'SET #status = :status',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':status': status },
      },
    );

  #set = (seq: number, name: string, value: string) =>
    this.#database.update(
      { pk: partition(this.#dataSourceId), sk: contactId(this.#dataSourceId, seq) },
      {
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      },
    );
}
