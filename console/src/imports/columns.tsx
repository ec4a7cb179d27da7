import type { ImportPreview } from '../../../client/answers.ts';
import { knownFields } from '../../../shared/domain/contacts/contact.ts';
import { normalisePhone } from '../../../shared/domain/contacts/phone-number.ts';
import { useWords } from '../i18n/i18n.ts';

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
  const words = t.import.fields;
  return (
    <div class="card table-card">
      <table class="table">
        <thead>
          <tr>
            <th>{t.import.column}</th>
            <th>{t.import.samples}</th>
            <th>{t.import.becomes}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((each) => {
            const { column, title, field, samples } = each;
            const key = keyOf(each);
            const own = isKnown(field) || field === '' ? key : field;
            const chosen = mapping[key] ?? field;
            return (
              <tr key={column} class={chosen === '' ? 'excluded' : ''}>
                <td class="column-title">
                  <bdi class="strong">{title || t.import.untitled(column)}</bdi>
                  <div class="sub">{column}</div>
                </td>
                <td class="main-cell sub">
                  {samples.slice(0, 3).map((sample, i) => (
                    <div key={i} class="sample">
                      <bdi>{sample}</bdi>
                    </div>
                  ))}
                </td>
                <td class="becomes">
                  <select
                    aria-label={`${t.import.becomes}: ${title || t.import.untitled(column)}`}
                    value={isKnown(chosen) || chosen === '' ? chosen : 'own'}
                    onChange={(event) => {
                      const value = event.currentTarget.value;
                      onMapping({ ...mapping, [key]: value === 'own' ? own : value });
                    }}
                  >
                    {offered.map((known) => (
                      <option key={known} value={known}>
                        {words[known]}
                      </option>
                    ))}
                    {/* A field that the service sets itself cannot come from a file. */}
                    {field !== '' && <option value="own">{words.own(own)}</option>}
                    <option value="">{words.excluded}</option>
                  </select>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
