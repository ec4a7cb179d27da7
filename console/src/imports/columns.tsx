import type { ImportPreview } from '../../../client/answers.ts';
import { knownFields } from '../../../shared/domain/contacts/contact.ts';
import { normalisePhone } from '../../../shared/domain/contacts/phone-number.ts';
import { useWords } from '../i18n/i18n.ts';
import { Select } from '../ui/field.tsx';
import { Table } from '../ui/table.tsx';

const offered = ['phoneNumber', ...knownFields] as const;
type Offered = (typeof offered)[number];
const isKnown = (field: string): field is Offered => (offered as readonly string[]).includes(field);

export type Columns = ImportPreview['columns'];
/** By title, or `column F`: the field that each column becomes; an empty text excludes the column. */
export type Mapping = Record<string, string>;

/** What a mapping calls a column. */
const keyOf = ({ title, column }: Columns[number]) => title || `column ${column}`;

export const mappingOf = (columns: Columns): Mapping =>
  Object.fromEntries(columns.map((column) => [keyOf(column), column.field]));

/** What differs from how the service would read the file by itself. */
export const changesOf = (columns: Columns, mapping: Mapping): Mapping =>
  Object.fromEntries(
    columns
      .map((column) => [keyOf(column), column.field] as const)
      .filter(([key, field]) => (mapping[key] ?? field) !== field)
      .map(([key]) => [key, mapping[key] as string]),
  );

/** How many of the sample values in the phone column are no phone numbers; 0 without such a column. */
export const suspiciousIn = (columns: Columns, mapping: Mapping): number =>
  columns
    .filter((column) => mapping[keyOf(column)] === 'phoneNumber')
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample !== '' && normalisePhone(sample) === undefined).length;

export const mappingFault = (mapping: Mapping): 'noPhone' | 'twice' | undefined => {
  const used = Object.values(mapping).filter((field) => field !== '');
  if (!used.includes('phoneNumber')) return 'noPhone';
  return new Set(used).size < used.length ? 'twice' : undefined;
};

/** Each column of the file: three of its values, and what it becomes. */
export const ColumnTable = ({
  columns,
  mapping,
  onMapping,
}: {
  columns: Columns;
  mapping: Mapping;
  onMapping: (mapping: Mapping) => void;
}) => {
  const t = useWords();
  const words = {
    phoneNumber: t.title.phoneNumber,
    customerName: t.title.customerName,
    address: t.title.address,
    orderAmount: t.title.orderAmount,
  };
  const nameOf = ({ title, column }: Columns[number]) => title || t.import.untitled(column);
  return (
    <div class="card table-card">
      <Table
        rows={columns}
        idOf={({ column }) => column}
        columns={[
          {
            title: t.import.column,
            class: 'column-title',
            cell: (each) => (
              <>
                <bdi class="strong">{nameOf(each)}</bdi>
                <div class="sub">{each.column}</div>
              </>
            ),
          },
          {
            title: t.import.samples,
            class: 'main-cell faint',
            cell: ({ samples }) =>
              samples.slice(0, 3).map((sample, i) => (
                <div key={i} class="sample">
                  <bdi>{sample}</bdi>
                </div>
              )),
          },
          {
            title: t.import.becomes,
            class: 'becomes',
            cell: (each) => {
              const key = keyOf(each);
              const own = isKnown(each.field) || each.field === '' ? key : each.field;
              const chosen = mapping[key] ?? each.field;
              return (
                <Select
                  label={`${t.import.becomes}: ${nameOf(each)}`}
                  value={isKnown(chosen) || chosen === '' ? chosen : 'own'}
                  onValue={(value) => onMapping({ ...mapping, [key]: value === 'own' ? own : value })}
                  options={[
                    ...offered.map((value) => ({ value, label: words[value] })),
                    // A field that the service sets itself cannot come from a file.
                    ...(each.field === '' ? [] : [{ value: 'own', label: t.import.own(own) }]),
                    { value: '', label: t.import.excluded },
                  ]}
                />
              );
            },
          },
        ]}
      />
    </div>
  );
};
