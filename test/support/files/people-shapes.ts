/** A cell as SheetJS takes it: an error and a date have a type of their own. */
type Cell = string | number | boolean | null | { t: 'n' | 'e'; v: number; z?: string };
type Shape = {
  name: string;
  sheets: { name: string; hidden?: boolean; rows: Cell[][] }[];
  /** The contacts its author means, as name and text; or the words it is refused with. */
  means: Record<string, string>[] | RegExp;
};

const ann = { phoneNumber: '13800138000', customerName: 'Ann' };
const list = (...titles: string[]): Cell[][] => [titles, ['13800138000', 'Ann']];
const shape = (name: string, rows: Cell[][], means: Shape['means'], sheetName = 'Sheet1'): Shape => ({
  name,
  sheets: [{ name: sheetName, rows }],
  means,
});
const date = (v: number, z: string): Cell => ({ t: 'n', v, z });

/** Contact lists as people keep them. */
export const shapes: Shape[] = [
  shape('plain', list('phoneNumber', 'customerName'), [ann]),
  shape('chinese-titles', list('手机号（必填）', '姓名'), [ann], '客户'),
  shape('english-titles', list('Phone No.', 'Full Name'), [ann], 'List'),
  shape(
    'headline-and-date',
    [['Customers of May'], [date(45413, 'yyyy-mm-dd')], [], ...list('Mobile', 'Name')],
    [ann],
  ),
  {
    name: 'cover-sheet',
    sheets: [
      { name: 'Read me', rows: [['Please call these'], ['by Friday']] },
      { name: 'Data', rows: list('tel', 'customer') },
    ],
    means: [ann],
  },
  {
    name: 'hidden-first-sheet',
    sheets: [
      { name: 'Old', hidden: true, rows: [['phone'], ['999']] },
      { name: 'New', rows: list('phone', 'name') },
    ],
    means: [ann],
  },
  shape(
    'number-cells',
    [
      ['电话', '金额'],
      [13800138000, 0.1],
      [date(13800138001, '0.00E+00'), 5],
    ],
    [
      { phoneNumber: '13800138000', orderAmount: '0.1' },
      { phoneNumber: '13800138001', orderAmount: '5' },
    ],
  ),
  shape(
    'dates-and-times',
    [
      ['phone', 'due'],
      ['1380', date(45413, 'yyyy-mm-dd')],
      ['1381', date(45413.5, 'yyyy-mm-dd hh:mm:ss')],
    ],
    [
      { phoneNumber: '1380', due: '2024-05-01' },
      { phoneNumber: '1381', due: '2024-05-01 12:00:00' },
    ],
  ),
  shape(
    'error-cells',
    [
      ['phone', 'name', 'city'],
      ['13800138000', 'Ann', { t: 'e', v: 42 }],
    ],
    [ann],
  ),
  shape(
    'text-under-no-title',
    [
      ['phone', 'name'],
      ['13800138000', 'Ann', null, 'call late'],
    ],
    [{ ...ann, 'column D': 'call late' }],
  ),
  shape(
    'two-phones',
    [
      ['电话', '手机', '姓名'],
      ['13800138000', '555', 'Ann'],
    ],
    [{ ...ann, 手机: '555' }],
  ),
  shape('empty-rows-between', [['phone', 'name'], [], ['13800138000', 'Ann'], [null, ' '], []], [ann]),
  shape(
    'spelt-by-hand',
    [['联系电话'], ['＋８６ 138-0013-8000'], ['tel:010/6234 5678'], ['(0)20\u00a07946']],
    [{ phoneNumber: '+8613800138000' }, { phoneNumber: '01062345678' }, { phoneNumber: '0207946' }],
  ),
  shape(
    'leading-zeros-as-text',
    [
      ['phone', 'note'],
      ['007911', '=1+1'],
      ['00123', '00042'],
    ],
    [
      { phoneNumber: '007911', note: '=1+1' },
      { phoneNumber: '00123', note: '00042' },
    ],
  ),
  shape(
    'no-phone-title',
    [
      ['Who', 'Where'],
      ['Ann', 'Berlin'],
    ],
    /no title "phoneNumber".*the sheet "Staff" has "Who", "Where"/,
    'Staff',
  ),
  shape(
    'repeated-title',
    [
      ['phone', 'note', 'note'],
      ['138', 'a', 'b'],
    ],
    /"note" appears twice: columns B "note" and C "note"/,
  ),
];
