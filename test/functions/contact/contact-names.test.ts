import { describe, expect, it } from 'vitest';
import { rememberFields } from '../../../shared/contacts/data-sources.ts';
import { meaningfulFields } from '../../../shared/contacts/rules/contact.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { misspellings } from '../../support/service/misspellings.ts';
import { send } from '../../support/service/post-scenarios.ts';

/**
 * The spellings of a field that differ in case, `_`, `-` and spaces only, and those that differ in
 * letters.
 */
const sameLetters = (name: string, other: string) =>
  name.toLowerCase() === other.toLowerCase().replace(/[ _-]/g, '');
const spellingsOf = (field: string) => misspellings(field).filter((name) => sameLetters(field, name));
const othersLike = (field: string) => misspellings(field).filter((name) => !sameLetters(field, name));

describe('another spelling of a field that means something', () => {
  const api = useApi();
  const contactPath = (id: string, operation: string) => `/api/dataSource/${id}/contact/${operation}`;
  const phoneNumber = '13800138000';
  const countIn = async (id: string) => succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount;

  it.each(meaningfulFields)('is refused for a contact: %s', async (field) => {
    const { id } = await api.aDataSource();
    const { id: contactId } = await api.aContact(id);
    const says = (name: string) => new RegExp(`^${name.replace('+', '\\+')}: write it ${field}$`);
    for (const name of spellingsOf(field)) {
      const fields = { [name]: 'Asia/Tokyo' };
      expectError(await api.post(contactPath(id, 'add'), { phoneNumber, ...fields }), 400, says(name));
      expectError(await api.post(contactPath(id, 'update'), { contactId, ...fields }), 400, says(name));
      const contacts = [{ phoneNumber }, { phoneNumber: '13800138001', ...fields }];
      const answer = await api.post(contactPath(id, 'batchAdd'), { contacts });
      expectError(answer, 400, says(name));
      expect(answer.body.data.errors).toEqual([
        { field: name, code: 'UNKNOWN', message: `write it ${field}` },
      ]);
    }
    expect(await countIn(id)).toBe(1);
  });

  it.each(meaningfulFields)('is no name that is only like %s: it stays a custom field', async (field) => {
    const { id } = await api.aDataSource();
    const names = [...othersLike(field), 'Status', 'call_count', 'create_time', 'Id'];
    const fields = Object.fromEntries(names.map((name) => [name, 'x']));
    const added = succeeded(await api.post(contactPath(id, 'add'), { phoneNumber, ...fields }));
    expect(added).toMatchObject(fields);
    const change = { contactId: added.id, ...fields, plan: 'gold' };
    expect(succeeded(await api.post(contactPath(id, 'update'), change))).toMatchObject(fields);
    const contacts = [{ phoneNumber: '13800138001', ...fields }];
    expect(succeeded(await api.post(contactPath(id, 'batchAdd'), { contacts })).successCount).toBe(1);
    const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contacts`));
    expect(rows).toMatchObject([fields, fields]);
  });

  it('answers 404 for a list or a contact that does not exist', async () => {
    const unknown = '0'.repeat(16);
    const { id } = await api.aDataSource();
    const contacts = [{ phoneNumber, time_zone: 'Asia/Tokyo' }];
    expectError(await api.post(contactPath(unknown, 'add'), contacts[0]), 404, /data source/);
    expectError(await api.post(contactPath(unknown, 'batchAdd'), { contacts }), 404, /data source/);
    const change = { contactId: `${id}-0`, time_zone: 'Asia/Tokyo' };
    expectError(await api.post(contactPath(id, 'update'), change), 404, /contact/);
  });

  it('is the field as the title of a column', async () => {
    for (const field of meaningfulFields.slice(1))
      for (const title of [...spellingsOf(field), field]) {
        const { id } = await api.aDataSource();
        const file = `${title},phoneNumber\nAsia/Tokyo,${phoneNumber}\n`;
        const post = { path: contactPath(id, 'batchImport'), file };
        expect(succeeded(await send(api, post, undefined)).successCount, title).toBe(1);
        const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contacts`));
        expect(rows[0], title).toMatchObject({ [field]: 'Asia/Tokyo' });
        if (title !== field) expect(rows[0]).not.toHaveProperty([title]);
      }
  });

  it.each(['时区', 'time zone', 'Time Zone', 'tz', 'TZ', '时区（IANA）', '*时区'])(
    'is timeZone as the title %s',
    async (title) => {
      const { id } = await api.aDataSource();
      const file = `手机号,${title}\n${phoneNumber},Asia/Tokyo\n`;
      succeeded(await send(api, { path: contactPath(id, 'batchImport'), file }, undefined));
      const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contacts`));
      expect(rows[0]).toMatchObject({ timeZone: 'Asia/Tokyo' });
    },
  );

  it('stays a custom field beside the field itself in a file, and may be sent to that list from then on', async () => {
    const { id } = await api.aDataSource();
    const file = `phoneNumber,time_zone,timeZone,tz\n${phoneNumber},Berlin,Asia/Tokyo,9\n`;
    succeeded(await send(api, { path: contactPath(id, 'batchImport'), file }, undefined));
    const list = async () => succeeded(await api.get(`/api/dataSource/${id}/contacts`)).rows;
    const [row] = await list();
    expect(row).toMatchObject({ time_zone: 'Berlin', timeZone: 'Asia/Tokyo', tz: '9' });

    const changed = { contactId: row?.id, time_zone: 'Paris' };
    succeeded(await api.post(contactPath(id, 'update'), changed));
    const others = [{ phoneNumber: '13800138001', time_zone: 'Rome' }];
    expect(succeeded(await api.post(contactPath(id, 'batchAdd'), { contacts: others })).successCount).toBe(1);
    succeeded(await api.post(contactPath(id, 'add'), { phoneNumber: '13800138002', time_zone: 'Oslo' }));
    expect(await list()).toMatchObject([
      { time_zone: 'Paris' },
      { time_zone: 'Rome' },
      { time_zone: 'Oslo' },
    ]);
    succeeded(await api.post(contactPath(id, 'update'), { contactId: row?.id, time_zone: null }));

    const third = { phoneNumber: '13800138003', Time_Zone: 'x' };
    expectError(await api.post(contactPath(id, 'add'), third), 400, /^Time_Zone: write it timeZone$/);
  });
});

describe.each(engines)('a field of 0.5 in another spelling on $name', (engine) => {
  const api = useApi({ engine });

  it('can still be sent to its list', async () => {
    const { id } = await api.aDataSource();
    await rememberFields(api.database, id, { names: ['TimeZone'] });
    const added = { phoneNumber: '13800138000', TimeZone: 'x' };
    expect(succeeded(await api.post(`/api/dataSource/${id}/contact/add`, added))).toMatchObject(added);
  });
});
