import type { ImportPreview } from '../../../client/answers.ts';
import { knownFields } from '../../../shared/domain/contacts/contact.ts';
import { useWords } from '../i18n/i18n.ts';
import { Select } from '../ui/field.tsx';
import { Table } from '../ui/table.tsx';

const offered = ['phoneNumber', ...knownFields] as const;
type Offered = (typeof offered)[number];
const isKnown = (field: string): field is Offered => (offered as readonly string[]).includes(field);

type Column = ImportPreview['columns'][number];
/** By title, or `column F`: the field that a column becomes; an empty text excludes the column. */
export type Mapping = Readonly<Record<string, string>>;
/** How files were read, by their titles. */
export type Layouts = ReadonlyMap<string, Mapping>;

export const titlesOf = ({ headerRow, columns }: ImportPreview): string =>
  JSON.stringify([headerRow === 0, columns.map(({ title }) => title)]);

/** What a mapping calls a column. */
const keyOf = ({ title, column }: Column) => title || `column ${column}`;
const fieldOf = (column: Column, chosen: Mapping) => chosen[keyOf(column)] ?? column.field;

export const fieldsOf = (columns: readonly Column[], chosen: Mapping): string[] =>
  columns.map((column) => fieldOf(column, chosen));

/** A column that the service excludes by itself may have the title of another one, so it is not named. */
export const sentMapping = (columns: readonly Column[], chosen: Mapping): Record<string, string> =>
  Object.fromEntries(
    columns
      .filter((column) => keyOf(column) in chosen || !['', keyOf(column)].includes(column.field))
      .map((column) => [keyOf(column), fieldOf(column, chosen)]),
  );

export const mappingFault = (fields: readonly string[]): 'noPhone' | 'twice' | undefined => {
  const used = fields.filter((field) => field !== '');
  if (!used.includes('phoneNumber')) return 'noPhone';
  return new Set(used).size < used.length ? 'twice' : undefined;
};

type Props = { columns: readonly Column[]; chosen: Mapping; onChoose: (chosen: Mapping) => void };

/** Each column of the file: three of its values, and what it becomes. */
export const ColumnTable = ({ columns, chosen, onChoose }: Props) => {
  const t = useWords();
  const isTitled = (each: Column) => keyOf(each) !== `column ${each.column}`;
  const nameOf = (each: Column) => (isTitled(each) ? each.title : t.import.untitled(each.column));
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
                {isTitled(each) && <div class="sub">{each.column}</div>}
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
              const field = fieldOf(each, chosen);
              // A field that the service sets itself cannot come from a file.
              const mayBeOwn = each.field !== '' || key in chosen;
              return (
                <Select
                  label={`${t.import.becomes}: ${nameOf(each)}`}
                  value={isKnown(field) || field === '' ? field : 'own'}
                  onValue={(value) => onChoose({ ...chosen, [key]: value === 'own' ? key : value })}
                  options={[
                    ...offered.map((value) => ({ value, label: t.title[value] })),
                    ...(mayBeOwn ? [{ value: 'own', label: t.import.own(nameOf(each)) }] : []),
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
