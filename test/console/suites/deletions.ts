import { expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  useConsole,
} from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

inBrowser('deleting in the console', () => {
  const { api, visitor, opened } = useConsole();
  const totalOf = async (path: string) => succeeded(await api.get(path)).total;

  it('deletes a draft and a closed task from their menus, and no other; the name is free', async () => {
    const running = await api.aTaskIn(1);
    const page = await opened(`/tasks/${running.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Stop' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    for (const status of [0, 6]) {
      const task = await api.aTaskIn(status, { taskName: 'Trial' });
      await page.goto(`${api.url}/tasks/${task.id}`);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete “Trial”?' });
      await dialog.getByText(/the name becomes free\. The contact list stays\./).waitFor();
      await expectAccessibleDialog(page, 'deleting a task');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('“Trial” deleted').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
      await page.getByRole('link', { name: 'Trial' }).waitFor({ state: 'detached' });
      expect(await totalOf('/api/task/list?taskName=Trial')).toBe(0);
    }
  });

  it('deletes several tasks at once, and says which were not deleted and why', async () => {
    await api.aTaskIn(0, { taskName: 'bulk draft' });
    const closed = await api.aTaskIn(6, { taskName: 'bulk closed' });
    await api.aTaskIn(2, { taskName: 'bulk paused' });
    const page = await opened('/tasks?q=bulk');
    for (const name of ['draft', 'closed', 'paused']) await page.getByLabel(`Select bulk ${name}`).check();
    // Deleted by a colleague meanwhile: gone, as was wished.
    succeeded(await api.post('/api/task/delete', { id: closed.id }));
    visitor.expected = /40[45]/;
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 3 tasks?' });
    await expectAccessibleDialog(page, 'deleting several tasks');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 tasks deleted').waitFor();
    await page.getByText('Not deleted: bulk paused. Only drafts and closed tasks can be deleted.').waitFor();
    await page.getByRole('link', { name: 'bulk draft' }).waitFor({ state: 'detached' });
    await page.getByText('1 selected').waitFor();
    await expectAccessible(page, 'tasks that were deleted in part');
    expect(await totalOf('/api/task/list?taskName=bulk')).toBe(1);
  });

  it('deletes contacts that were selected on several pages together', async () => {
    const { id } = await api.aDataSource();
    const contacts = Array.from({ length: 60 }, (_, i) => ({ phoneNumber: `138001380${10 + i}` }));
    succeeded(await api.post(`/api/dataSource/${id}/contact/batchAdd`, { contacts }));
    const page = await opened(`/sources/${id}`);
    await page.getByLabel('Select 13800138011').check();
    await page.getByLabel('Select 13800138012').check();
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByLabel('Select 13800138069').check();
    await page.getByText('3 selected').waitFor();
    succeeded(await api.post(`/api/dataSource/${id}/contact/batchDelete`, { phoneNumbers: ['13800138012'] }));
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 3 contacts?' });
    await expectAccessibleDialog(page, 'deleting several contacts');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 contacts deleted, 1 no longer existed').waitFor();
    await page.getByText('57 contacts', { exact: true }).waitFor();
    await page.getByText('3 selected').waitFor({ state: 'detached' });
    expect(await totalOf(`/api/dataSource/${id}/contacts?phoneNumber=13800138069`)).toBe(0);
    await expectAccessible(page, 'contacts to select');
  });

  it('edits and deletes a contact of a list, hostile text as text', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id as string, { phoneNumber: '13800138002', customerName: 'Ana', note: '=1+1' });
    const page = await opened(`/sources/${id}`);
    const button = (name: string) => page.getByRole('button', { name });
    const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name });
    await button('Fields of 13800138002').click();
    await page.locator('tr.opened').getByText('=1+1', { exact: true }).waitFor();
    await expectAccessible(page, 'a data source');
    await button('Fields of 13800138002').click();
    await button('Edit 13800138002').click();
    await page.getByLabel('Name', { exact: true }).fill('Ana María');
    await button('Add a field').click();
    await page.getByLabel('Value', { exact: true }).last().fill('VIP');
    await inDialog('Save').click();
    await page.getByText('“VIP” has no field name. Enter one, or remove the value.').waitFor();
    await page.getByLabel('Field', { exact: true }).last().fill('status');
    await inDialog('Save').click();
    await page.getByText('“status” is already in use. Choose another field name.').waitFor();
    await expectAccessibleDialog(page, 'edit a contact');
    await button('Remove status').click();
    await inDialog('Save').click();
    await page.getByText('Ana María').waitFor();
    await button('Delete 13800138002').click();
    await page.getByText('Delete 13800138002?').waitFor();
    await inDialog('Delete').click();
    await page.getByText('Ana María').waitFor({ state: 'detached' });
  });

  it('deletes a contact list, and names the tasks that still use it', async () => {
    const source = await api.aDataSource({ dataSourceName: '试用名单' });
    await api.aContact(source.id as string);
    const names = Array.from({ length: 21 }, (_, i) => `六月: ${21 - i} and 3 more`);
    const ids: unknown[] = [];
    for (const taskName of names.toReversed())
      ids.push((await api.aTask({ taskName, dataSourceId: source.id })).id);
    const page = await opened(`/sources/${source.id}`, { language: 'zh-CN', width: 390 });
    await page.getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    const dialog = page.getByRole('dialog', { name: '删除“试用名单”？' });
    await dialog.getByText(/^名单及其 1 个联系人和导入记录将永久删除，名称可以再次使用。/).waitFor();
    visitor.expected = /405/;
    await dialog.getByRole('button', { name: '删除' }).click();
    const named = names.slice(0, 20).join('、');
    await dialog.getByText(`正在使用此名单：${named}、另外 1 个。请先归档或删除这些任务。`).waitFor();
    await expectAccessibleDialog(page, 'a list that is in use');
    for (const id of ids) succeeded(await api.post('/api/task/delete', { id }));
    await dialog.getByRole('button', { name: '删除' }).click();
    await page.getByText('已删除“试用名单”').waitFor();
    await page.getByRole('heading', { level: 1, name: '客户名单' }).waitFor();
    await page.getByRole('link', { name: '试用名单' }).waitFor({ state: 'detached' });
    await api.aDataSource({ dataSourceName: '试用名单' });
  });
});
