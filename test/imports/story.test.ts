import { beforeEach, describe, expect, it } from 'vitest';
import { newName, useService } from '../support/service/client.ts';

describe('an import', () => {
  const { get, post, upload, download } = useService({ country: 'DE' });
  let listId: string;

  beforeEach(async () => {
    listId = (await post('/api/dataSource/add', { dataSourceName: newName('Customers') })).id;
  });

  const importFile = (content: string, options = {}) =>
    upload(`/api/dataSource/${listId}/contact/batchImport`, 'contacts.csv', content, options);
  const preview = (content: string, options = {}) =>
    upload(`/api/dataSource/${listId}/contact/importPreview`, 'contacts.csv', content, options);
  const contacts = async () => (await get(`/api/dataSource/${listId}/contacts`)).rows;

  it('makes a contact of each row, and a field of each column', async () => {
    const report = await importFile(
      'phoneNumber,customerName,plan\n+4930000001,Li Wei,gold\n+4930000002,,\n',
    );
    expect(report).toMatchObject({ importCount: 2, successCount: 2, failCount: 0, details: [] });
    expect(await contacts()).toMatchObject([
      { phoneNumber: '+4930000001', customerName: 'Li Wei', plan: 'gold' },
      { phoneNumber: '+4930000002' },
    ]);
  });

  it('knows the titles that people use, below whatever stands above them', async () => {
    await importFile('Customers of June\n\n手机号;姓名\n030 000001;李伟\n');
    expect(await contacts()).toMatchObject([{ phoneNumber: '+4930000001', customerName: '李伟' }]);
  });

  it('leaves out the rows that are wrong, and says where and why', async () => {
    await importFile('phoneNumber\n+4930000001\n');
    const report = await importFile('phoneNumber\n+4930000001\n+4930000002\n030 000002\nnone\n');
    expect(report).toMatchObject({
      ...{ importCount: 4, successCount: 1, failCount: 3 },
      details: [
        { row: 2, code: 'DUPLICATE', cell: 'A2' },
        { row: 4, code: 'DUPLICATE_IN_FILE', firstRow: 3 },
        { row: 5, code: 'INVALID_PHONE' },
      ],
    });
    expect(await contacts()).toHaveLength(2);
  });

  it('changes contacts that exist only if it is told to', async () => {
    await importFile('phoneNumber,plan,city\n+4930000001,tin,Bonn\n');
    const file = 'phoneNumber,plan,city\n+4930000001,gold,\n';
    expect(await importFile(file)).toMatchObject({ successCount: 0, failCount: 1 });
    expect(await contacts()).toMatchObject([{ plan: 'tin' }]);
    expect(await importFile(file, { onDuplicate: 'update' })).toMatchObject({ successCount: 1 });
    // An empty cell changes nothing.
    expect(await contacts()).toMatchObject([{ plan: 'gold', city: 'Bonn' }]);
  });

  it('is tried without storing anything', async () => {
    const report = await importFile('phoneNumber\n+4930000001\nnone\n', { dryRun: true });
    expect(report).toMatchObject({ importCount: 2, successCount: 1, failCount: 1 });
    expect(await contacts()).toEqual([]);
    expect((await get(`/api/dataSource/${listId}/contact/imports`)).rows).toEqual([]);
  });

  it('is previewed: how its columns are read, and what looks like no number', async () => {
    const shown = await preview('Handynummer,phone,Tarif\nx,+4930000001,gold\n,120,\n', {
      mapping: JSON.stringify({ phone: 'phoneNumber' }),
    });
    expect(shown).toMatchObject({
      kind: 'csv',
      rowCount: 2,
      columns: [{ column: 'A' }, { column: 'B', field: 'phoneNumber' }, { field: 'Tarif' }],
      shortNumbers: { count: 1, examples: [{ phoneNumber: '120' }] },
    });
    expect(await contacts()).toEqual([]);
  });

  it('rejects the total below a column of numbers, if it is told how long numbers are', async () => {
    const report = await importFile('phoneNumber\n+4930000001\n120\n', { minDigits: 6 });
    expect(report).toMatchObject({ successCount: 1, details: [{ row: 3, code: 'INVALID_PHONE' }] });
  });

  it('reads the zone of a contact from any spelling of its title', async () => {
    await importFile('phoneNumber,Time_Zone\n+4930000001,Asia/Shanghai\n');
    expect(await contacts()).toMatchObject([{ timeZone: 'Asia/Shanghai' }]);
  });

  it('is listed with what became of it, and its rejected rows are a file to mend', async () => {
    await importFile('phoneNumber,plan\n+4930000001,gold\nnone,tin\n');
    const { rows } = await get(`/api/dataSource/${listId}/contact/imports`);
    expect(rows).toMatchObject([
      { status: 'DONE', importCount: 2, successCount: 1, failCount: 1, updateCount: 0 },
    ]);
    const { importId } = rows[0] as unknown as { importId: string };
    const rejected = await download(`/api/dataSource/${listId}/contact/import/${importId}/rejected`, {
      format: 'csv',
    });
    expect(rejected).toContain('none,tin');
    expect(rejected).not.toContain('gold');
  });

  it('takes batches of programs as it takes files', async () => {
    const body = { contacts: [{ phoneNumber: '+4930000001', plan: 'gold' }, { phoneNumber: 'none' }] };
    const report = await post(`/api/dataSource/${listId}/contact/batchAdd`, body);
    expect(report).toMatchObject({ successCount: 1, details: [{ row: 2, code: 'INVALID_PHONE' }] });
    expect((await get(`/api/dataSource/${listId}/contact/imports`)).rows).toMatchObject([
      { fileName: 'batchAdd', status: 'DONE' },
    ]);
  });

  it('adds contacts that running tasks call at once', async () => {
    await importFile('phoneNumber\n+4930000001\n');
    const { id: taskId } = await post('/api/task/add', {
      taskName: newName('Renewal'),
      dataSourceId: listId,
    });
    await post('/api/task/publish', { id: taskId });
    expect((await post('/api/dialer/lease', { taskId })).calls).toHaveLength(1);
    await importFile('phoneNumber\n+4930000002\n');
    const { calls } = await post('/api/dialer/lease', { taskId });
    expect(calls).toMatchObject([{ phoneNumber: '+4930000002' }]);
  });
});
