import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { routes } from '../../shared/app/all-routes.ts';
import { fieldNameAtMost } from '../../shared/contacts/rules/contact.ts';
import { callbacksAtMost } from '../../shared/dialing/rules/call-decisions.ts';
import * as files from '../../shared/files/workbook.ts';
import { usualBodyLimit } from '../../shared/platform/api/route.ts';
import { maxColumns, maxFileBytes, maxRows } from '../../shared/platform/rules/files.ts';
import { nameAtMost, text } from '../../shared/platform/rules/names.ts';

const { batchAdd, batchDelete, leaseCalls, listTasks, recallTask } = routes;

const page = async (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const plain = (count: number) => count.toLocaleString('en');
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

it('the page of limits has the limits of the code', async () => {
  const limits = await page('limits.md');
  const rows = [...limits.matchAll(/^\| (.+?) +\| (.+?) +\|/gm)].map(([, what = '', limit = '']) => [
    what,
    limit,
  ]);
  const written = (what: string) => rows.find(([name]) => name === what)?.[1];
  const { contactIds } = recallTask.body.properties;
  const { limit, leaseSeconds } = leaseCalls.body.properties;
  const expected = {
    'request body': `${usualBodyLimit / 1024} KB`,
    'body of `recall`': `${megabytes(recallTask.bodyLimit)}, ${plain(contactIds.maxItems)} \`contactIds\``,
    '`batchDelete`': `${plain(batchDelete.body.properties.contactIds.maxItems)} \`contactIds\` or \`phoneNumbers\``,
    '`pageSize`': plain(listTasks.query.properties.pageSize.maximum),
    'name of a task or a data source': `${nameAtMost} code points`,
    'description, reason of a stop': `${plain(text.maxLength)} characters`,
    'name of a custom field': `${fieldNameAtMost} characters`,
    'rows of a contact file': plain(maxRows),
    columns: plain(maxColumns),
    'characters of a cell': plain(files.maxCellCharacters),
    'cells with text on a sheet': plain(files.maxCells),
    'sheets of a workbook': plain(files.maxSheets),
    'workbook when unpacked': megabytes(files.maxUnpackedBytes),
    'calls of one lease request': plain(limit.maximum),
    'length of a lease': `${plain(leaseSeconds.maximum)} seconds`,
    'callbacks of a contact in a task': plain(callbacksAtMost),
  };
  expect(Object.fromEntries(Object.keys(expected).map((what) => [what, written(what)]))).toEqual(expected);
  expect(written('size of a contact file')).toContain(megabytes(maxFileBytes));
  expect(written('body of `batchAdd`')).toContain(
    `${plain(batchAdd.body.properties.contacts.maxItems)} contacts`,
  );
  for (const name of ['contact-files.md', 'contact-files.zh.md'])
    expect(await page(name)).toContain(plain(maxRows));
});
