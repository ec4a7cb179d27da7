import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  useConsole,
} from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

const phoneNumber = '13800138000';

inBrowser('a number in the console', () => {
  const { api, visitor, opened, dialing } = useConsole();
  const found = async (number = phoneNumber) =>
    succeeded(await api.post('/api/contact/find', { phoneNumber: number }));
  const lookUp = async (page: Page, number: string) => {
    await page.locator('main h1').waitFor();
    // The page listens to keys a moment after it is drawn, and once no dialog is open.
    const isReady = async () => {
      await page.keyboard.press('/');
      return page.evaluate(`document.activeElement.matches('[data-find]')`);
    };
    await expect.poll(isReady).toBe(true);
    await page.keyboard.type(number);
    await page.keyboard.press('Enter');
  };

  /** The number in two lists: one task has called it, another has not. */
  const aPerson = async () => {
    const first = await api.aDataSource({ dataSourceName: 'June renewals' });
    const second = await api.aDataSource({ dataSourceName: 'Survey' });
    await api.aContact(first.id as string, { phoneNumber, customerName: 'Li Wei', plan: 'gold' });
    await api.aContact(second.id as string, { phoneNumber, customerName: 'Wei Li' });
    const task = await api.aTaskIn(1, { taskName: 'First round', dataSourceId: first.id });
    await api.aTaskIn(0, { taskName: 'Not begun', dataSourceId: second.id });
    const calls = await dialing.lease({ taskId: task.id });
    const result = { callId: calls[0]?.callId, outcome: 'noAnswer', reason: 'busy', duration: 0 };
    succeeded(await api.post('/api/dialer/result', result));
  };

  it('is found from anywhere by the key /: its lists with their fields, its tasks and its calls', async () => {
    await aPerson();
    const asked: string[] = [];
    const page = await opened('/sources', {
      watch: (fresh) => void fresh.on('request', (request) => asked.push(new URL(request.url()).pathname)),
    });
    await page.getByRole('link', { name: 'Survey' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Find a number').waitFor();
    await page.keyboard.press('Escape');
    asked.length = 0;
    await lookUp(page, '138-0013 8000');
    await page.getByRole('heading', { level: 1, name: phoneNumber }).waitFor();
    await page.getByText('Not on the do-not-call list', { exact: true }).waitFor();
    const card = (name: string) => page.getByRole('region', { name });
    await card('June renewals').getByText('gold', { exact: true }).waitFor();
    await card('June renewals')
      .getByRole('row', { name: /First round.*To be called again/ })
      .waitFor();
    await card('Survey').getByText('Wei Li', { exact: true }).waitFor();
    await card('Survey')
      .getByRole('row', { name: /Not begun.*Not called yet/ })
      .waitFor();
    const events = card('Over all tasks').getByRole('listitem');
    await events.filter({ hasText: /No answer · Busy · First round/ }).waitFor();
    // A minute after the call, as the task says.
    await events.filter({ hasText: /in 1 min.*Next call · First round.*Retry: \d\d:\d\d/s }).waitFor();
    expect(asked.filter((path) => path.includes('/contact/'))).toHaveLength(3);
    // The number is told to the service in bodies only.
    expect(page.url()).toBe(`${api.url}/people#138-0013%208000`);
    expect(asked.join()).not.toContain('8000');
    await expectAccessible(page, 'a number');
    await card('Survey').getByRole('link', { name: 'Not begun' }).click();
    await page.getByRole('heading', { level: 1, name: 'Not begun' }).waitFor();
    await page.goBack();
    await card('Survey').waitFor();
  });

  it('is removed from one list, blocked and unblocked', async () => {
    const page = await opened('/tasks');
    await lookUp(page, phoneNumber);
    await page
      .getByRole('region', { name: 'Survey' })
      .getByRole('button', { name: 'Remove from this list' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Remove ${phoneNumber} from “Survey”?`).waitFor();
    await expectAccessibleDialog(page, 'removing a number from a list');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('region', { name: 'Survey' }).waitFor({ state: 'detached' });
    expect((await found()).contacts).toMatchObject([{ dataSourceName: 'June renewals' }]);
    await page.getByRole('button', { name: 'Add to the do-not-call list' }).click();
    await page.getByText('On the do-not-call list', { exact: true }).waitFor();
    expect(await found()).toMatchObject({ doNotCall: true });
    await page.getByRole('button', { name: 'Remove from the do-not-call list' }).click();
    await dialog.getByText('Tasks can call this number again.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Not on the do-not-call list', { exact: true }).waitFor();
    succeeded(await api.post('/api/dataSource/do-not-call/contact/add', { phoneNumber }));
    visitor.expected = /409/;
    await page.getByRole('button', { name: 'Add to the do-not-call list' }).click();
    await page.getByText('This number is already in the list.').waitFor();
    await page.getByText('On the do-not-call list', { exact: true }).waitFor();
  });

  it('shows a contact that was deleted as deleted, with its calls', async () => {
    const number = '13800138001';
    const { id: dataSourceId } = await api.aDataSource({ dataSourceName: 'Old list' });
    const { id: contactId } = await api.aContact(dataSourceId as string, { phoneNumber: number });
    const task = await api.aTaskIn(1, { taskName: 'Old round', dataSourceId });
    const calls = await dialing.lease({ taskId: task.id });
    succeeded(await api.post('/api/dialer/result', { callId: calls[0]?.callId, outcome: 'success' }));
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
    const page = await opened(`/tasks`);
    await lookUp(page, number);
    const card = page.getByRole('region', { name: 'Old list' });
    await card.getByText('Deleted from this list. Its calls are kept.').waitFor();
    await page
      .getByRole('region', { name: 'Over all tasks' })
      .getByRole('listitem')
      .filter({ hasText: /Connected · Old round/ })
      .waitFor();
    expect(await card.getByRole('button', { name: 'Remove from this list' }).count()).toBe(0);
  });

  it('is found under other spellings, which are all blocked and unblocked', async () => {
    const spellings = ['+4930555001', '004930555001'];
    for (const [i, spelling] of spellings.entries()) {
      const { id } = await api.aDataSource({ dataSourceName: `Spelling ${i}` });
      await api.aContact(id as string, { phoneNumber: spelling });
    }
    const blocked = () => Promise.all(spellings.map(async (each) => (await found(each)).doNotCall));
    const page = await opened('/tasks');
    await lookUp(page, '+49 30 555001');
    await page.getByRole('region', { name: 'Spelling 0' }).waitFor();
    await page.getByRole('region', { name: 'Spelling 1' }).getByText('004930555001').waitFor();
    await page.getByRole('button', { name: 'Add to the do-not-call list' }).click();
    await page.getByText('On the do-not-call list', { exact: true }).waitFor();
    expect(await blocked()).toEqual([true, true]);
    await page.getByRole('button', { name: 'Remove from the do-not-call list' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Not on the do-not-call list', { exact: true }).waitFor();
    expect(await blocked()).toEqual([false, false]);
  });

  it('is said to be gone where a colleague removed it from the list meanwhile', async () => {
    const source = await api.aDataSource({ dataSourceName: 'Shared' });
    const contact = await api.aContact(source.id as string);
    const page = await opened('/tasks');
    await lookUp(page, String(contact.phoneNumber));
    await page.getByRole('button', { name: 'Remove from this list' }).click();
    succeeded(await api.post(`/api/dataSource/${source.id}/contact/delete`, { contactId: contact.id }));
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('This contact no longer exists.').waitFor();
    await page.getByText('This number is in no contact list').waitFor();
  });

  it('is erased: asked twice, with the number typed, and says when the last copy is gone', async () => {
    const page = await opened('/', { language: 'zh-CN', width: 390 });
    await page.getByLabel('查找号码').fill(phoneNumber);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '彻底删除' }).click();
    const dialog = page.getByRole('dialog', { name: `彻底删除 ${phoneNumber}？` });
    await dialog.getByLabel('在免打扰名单中只保留号码').waitFor();
    await expectAccessibleDialog(page, 'what erase means');
    await dialog.getByRole('button', { name: '继续' }).click();
    const typed = dialog.getByLabel(`请输入 ${phoneNumber} 以确认`);
    await typed.fill('13800138001');
    await dialog.getByRole('button', { name: '确认彻底删除' }).click();
    await dialog.getByText('输入的号码不一致。').waitFor();
    await expectAccessibleDialog(page, 'another number');
    expect((await found()).contacts).toHaveLength(1);
    await typed.fill('138 0013 8000');
    visitor.expected = /409/;
    const running = { code: 409, message: 'an import is adding this number', data: null };
    const refusal = { status: 409, headers: { 'x-error-code': 'IMPORT_RUNNING' }, json: running };
    await page.route('**/api/contact/erase', (route) => route.fulfill(refusal), { times: 1 });
    await dialog.getByRole('button', { name: '确认彻底删除' }).click();
    await dialog.getByText('导入正在进行，请稍后再试。').waitFor();
    await dialog.getByRole('button', { name: '确认彻底删除' }).click();
    await page
      .getByText(/已彻底删除 1 个联系人及其在 1 个任务中的呼叫记录。.*副本最晚于 .*\d+:\d+ 过期。/)
      .waitFor();
    await page.getByText('没有客户名单包含此号码').waitFor();
    await page.getByText('此号码在免打扰名单中，任何任务都不会呼叫。').waitFor();
    expect(await found()).toMatchObject({ doNotCall: true, contacts: [] });
    await expectAccessible(page, 'an erased number');
  });

  it('says of a number that is nowhere whether it is on do-not-call, and of other text what a number is', async () => {
    const page = await opened('/tasks');
    await lookUp(page, '+49 30 123456');
    await page.getByText('This number is in no contact list').waitFor();
    await page.getByText('It is not on the do-not-call list.').waitFor();
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add to the do-not-call list' }).click();
    await page.getByText('It is on the do-not-call list: no task calls it.').waitFor();
    await lookUp(page, 'Li Wei');
    await page.getByText(/^Not a valid phone number/).waitFor();
    await page.goto(`${api.url}/people#%2B4930123456`);
    await page.getByRole('heading', { level: 1, name: '+4930123456' }).waitFor();
    await page.goto(`${api.url}/people#100%`);
    await page.getByText(/^Not a valid phone number/).waitFor();
  });
});
