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

/** Contact lists as people keep them. */
export const shapes: Shape[] = [
  { name: 'plain', sheets: [{ name: 'Sheet1', rows: list('phoneNumber', 'customerName') }], means: [ann] },
  { name: 'chinese-titles', sheets: [{ name: '客户', rows: list('手机号（必填）', '姓名') }], means: [ann] },
  { name: 'english-titles', sheets: [{ name: 'List', rows: list('Phone No.', 'Full Name') }], means: [ann] },
  {
    name: 'headline-and-date',
    sheets: [
      {
        name: 'Sheet1',
        rows: [['Customers of May'], [{ t: 'n', v: 45413, z: 'yyyy-mm-dd' }], [], ...list('Mobile', 'Name')],
      },
    ],
    means: [ann],
  },
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
  {
    name: 'number-cells',
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['电话', '金额'],
          [13800138000, 0.1],
          [{ t: 'n', v: 13800138001, z: '0.00E+00' }, 5],
        ],
      },
    ],
    means: [
      { phoneNumber: '13800138000', orderAmount: '0.1' },
      { phoneNumber: '13800138001', orderAmount: '5' },
    ],
  },
  {
    name: 'dates-and-times',
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['phone', 'due'],
          ['1380', { t: 'n', v: 45413, z: 'yyyy-mm-dd' }],
          ['1381', { t: 'n', v: 45413.5, z: 'yyyy-mm-dd hh:mm:ss' }],
        ],
      },
    ],
    means: [
      { phoneNumber: '1380', due: '2024-05-01' },
      { phoneNumber: '1381', due: '2024-05-01 12:00:00' },
    ],
  },
  {
    name: 'error-cells',
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['phone', 'name', 'city'],
          ['13800138000', 'Ann', { t: 'e', v: 42 }],
        ],
      },
    ],
    means: [ann],
  },
  {
    name: 'text-under-no-title',
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['phone', 'name'],
          ['13800138000', 'Ann', null, 'call late'],
        ],
      },
    ],
    means: [{ ...ann, 'column D': 'call late' }],
  },
  {
    name: 'two-phones',
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['电话', '手机', '姓名'],
          ['13800138000', '555', 'Ann'],
        ],
      },
    ],
    means: [{ ...ann, 手机: '555' }],
  },
  {
    name: 'empty-rows-between',
    sheets: [{ name: 'Sheet1', rows: [['phone', 'name'], [], ['13800138000', 'Ann'], [null, ' '], []] }],
    means: [ann],
  },
  {
    name: 'spelt-by-hand',
    sheets: [
      {
        name: 'Sheet1',
        rows: [['联系电话'], ['＋８６ 138-0013-8000'], ['tel:010/6234 5678'], ['(0)20\u00a07946']],
      },
    ],
    means: [{ phoneNumber: '+8613800138000' }, { phoneNumber: '01062345678' }, { phoneNumber: '0207946' }],
  },
  {
    name: 'leading-zeros-as-text',
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['phone', 'note'],
          ['007911', '=1+1'],
          ['00123', '00042'],
        ],
      },
    ],
    means: [
      { phoneNumber: '007911', note: '=1+1' },
      { phoneNumber: '00123', note: '00042' },
    ],
  },
  {
    name: 'no-phone-title',
    sheets: [
      {
        name: 'Staff',
        rows: [
          ['Who', 'Where'],
          ['Ann', 'Berlin'],
        ],
      },
    ],
    means: /no title "phoneNumber".*the sheet "Staff" has "Who", "Where"/,
  },
  {
    name: 'repeated-title',
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['phone', 'note', 'note'],
          ['138', 'a', 'b'],
        ],
      },
    ],
    means: /"note" appears twice: columns B "note" and C "note"/,
  },
];
