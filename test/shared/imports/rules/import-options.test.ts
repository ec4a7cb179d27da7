import { expect, it } from 'vitest';
import { readImportForm } from '../../../../shared/imports/rules/import-options.ts';
import { megabytesFor } from '../../../../shared/platform/rules/files.ts';

type Form = Record<string, string>;

const read = (fields: Form) => readImportForm(new Map(Object.entries(fields)));
const mapping = (value: unknown) => ({ mapping: JSON.stringify(value) });
const titles = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, '']));

it.each<[Form, object]>([
  [{}, {}],
  [{ mapping: ' ', sheet: '', headerRow: ' ', onDuplicate: '', dryRun: ' ' }, {}],
  [
    mapping({ ' Tel ': ' phoneNumber ', Note: '' }),
    {
      mapping: [
        ['Tel', 'phoneNumber'],
        ['Note', ''],
      ],
    },
  ],
  [
    mapping({ a: '', b: '' }),
    {
      mapping: [
        ['a', ''],
        ['b', ''],
      ],
    },
  ],
  [mapping({ t: 'x'.repeat(64) }), { mapping: [['t', 'x'.repeat(64)]] }],
  [mapping({ ['x'.repeat(50_000)]: '' }), { mapping: [['x'.repeat(50_000), '']] }],
  [mapping(titles(200)), { mapping: Object.entries(titles(200)) }],
  [{ sheet: ' A ' }, { sheet: 'A' }],
  [{ sheet: 'x'.repeat(255) }, { sheet: 'x'.repeat(255) }],
  [{ headerRow: '0' }, { headerRow: 0 }],
  [{ headerRow: ' 007 ' }, { headerRow: 7 }],
  [{ headerRow: '1048576' }, { headerRow: 1_048_576 }],
  [
    { onDuplicate: 'skip', dryRun: 'false' },
    { onDuplicate: 'skip', dryRun: false },
  ],
  [
    { onDuplicate: 'update', dryRun: 'true' },
    { onDuplicate: 'update', dryRun: true },
  ],
])('the form %j is accepted', (fields, options) => {
  expect(read(fields)).toEqual(options);
});

it.each<[Form, string]>([
  [{ mapping: '{' }, 'mapping: is not JSON'],
  ...['null', '[]', '"a"', '1', '{"a":1}', '{"a":null}'].map((text): [Form, string] => [
    { mapping: text },
    'mapping: must be a JSON object of field names by title',
  ]),
  [mapping(titles(201)), 'mapping: has more than 200 titles'],
  [mapping({ ['x'.repeat(49_999)]: 'yy' }), 'mapping: has more than 50000 characters'],
  [{ mapping: '{"\\ud800":"a"}' }, 'mapping: holds half of a surrogate pair'],
  [{ mapping: '{"a":"\\udc00"}' }, 'mapping: holds half of a surrogate pair'],
  [mapping({ a: 'status' }), 'mapping: the field "status" is set by the service'],
  [mapping({ a: 'x'.repeat(65) }), 'mapping: a field name has at most 64 characters'],
  [mapping({ a: 'x', b: '', c: ' x' }), 'mapping: two titles go to the field "x"'],
  [{ sheet: 'x'.repeat(256) }, 'sheet: must be the name of a sheet, 1 to 255 characters'],
  ...['-1', '1e3', '0x1', '1.5', 'x', '1 2', '1048577', '10000000000'].map((text): [Form, string] => [
    { headerRow: text },
    'headerRow: must be a line number from 1 to 1048576, or 0',
  ]),
  [{ onDuplicate: 'Skip' }, 'onDuplicate: must be one of skip, update'],
  [{ dryRun: 'yes' }, 'dryRun: must be one of true, false'],
])('the form %j is refused', (fields, message) => {
  expect(() => read(fields)).toThrow(message);
});

it('a file may be as large as its rows ask for', () => {
  expect([1, 10_000, 25_000, 512_000, 1_000_000].map(megabytesFor)).toEqual([10, 10, 25, 512, 512]);
});
