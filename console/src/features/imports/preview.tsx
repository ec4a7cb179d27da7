import { useQuery } from '@tanstack/preact-query';
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ImportPreview } from '../../../../client/client.ts';
import { knownFields } from '../../../../shared/contacts/rules/contact.ts';
import { maxRows } from '../../../../shared/platform/rules/files.ts';
import { given } from '../../api/client.ts';
import { importLimit } from '../../base/page-settings.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Select } from '../../ui/fields/field.tsx';
import { Table } from '../../ui/lists/table.tsx';
import css from './import-screen.module.css';
import { previewQuery, type Reading } from './requests.ts';

type Column = ImportPreview['columns'][number];
/** By title, or `column F`: the field that a column becomes; an empty text excludes the column. */
type Mapping = Readonly<Record<string, string>>;
/** How files were read, by their titles. */
export type Layouts = ReadonlyMap<string, Mapping>;

export const titlesOf = ({ headerRow, columns }: ImportPreview): string =>
  JSON.stringify([headerRow === 0, columns.map(({ title }) => title)]);

/** What a mapping calls a column. */
const keyOf = ({ title, column }: Column) => title || `column ${column}`;
const fieldOf = (column: Column, chosen: Mapping) => chosen[keyOf(column)] ?? column.field;

/** A column that the service excludes by itself may have the title of another one, so it is not named. */
const sentMapping = (columns: readonly Column[], chosen: Mapping): Record<string, string> =>
  Object.fromEntries(
    columns
      .filter((column) => keyOf(column) in chosen || !['', keyOf(column)].includes(column.field))
      .map((column) => [keyOf(column), fieldOf(column, chosen)]),
  );

const faultIn = (columns: readonly Column[], chosen: Mapping): 'noPhone' | 'twice' | undefined => {
  const used = columns.map((column) => fieldOf(column, chosen)).filter((field) => field !== '');
  if (!used.includes('phoneNumber')) return 'noPhone';
  return new Set(used).size < used.length ? 'twice' : undefined;
};

/** Numbers with fewer digits are most likely totals, or shortened. */
const proposedDigits = 7;
/** As the service takes them. */
const leastDigits = 3;

/**
 * What a file holds and how the reader wants it read. `layouts`: how files with the same titles were read. `isToBeCalled`:
 * short numbers are left out unless the reader wants them.
 */
export const usePreview = (file: File, layouts: Layouts, isToBeCalled: boolean) => {
  const [read, setReading] = useState<Reading>({ mapping: {} });
  const [minDigits, setMinDigits] = useState(isToBeCalled ? proposedDigits : leastDigits);
  const reading = { ...read, minDigits };
  // Kept while another row or sheet cannot be read, so that a third can be chosen.
  const kept = useRef<ImportPreview | undefined>();
  const faultOf = (preview: ImportPreview | undefined) =>
    preview && faultIn(preview.columns, reading.mapping);
  const isAsked = faultOf(kept.current) !== 'twice';
  const seen = useQuery(previewQuery(file, reading, isAsked, importLimit.rows > maxRows));
  kept.current = seen.data?.preview ?? kept.current;
  const shown = kept.current;
  const fault = faultOf(shown);
  const isPart = seen.data?.isPart ?? false;
  const isStraight = isPart && shown === undefined;
  const header = shown && given({ sheet: shown.sheet, headerRow: shown.headerRow });
  const known = shown && layouts.get(titlesOf(shown));
  useEffect(() => {
    if (known !== undefined) setReading({ ...header, mapping: known });
  }, [known]);
  // Until the other sheet or row is read, what is shown is not what would be imported.
  const isShown = seen.data !== undefined && !seen.isPlaceholderData && !seen.isError;
  return {
    shown,
    fault,
    isPart,
    isStraight,
    error: seen.error,
    isReady: isStraight || (isShown && fault === undefined && shown !== undefined && shown.rowCount > 0),
    /** A file with these titles was imported before, and this one is read like it. */
    isKnown: known !== undefined && read.mapping === known,
    chosen: reading.mapping,
    /** What the reader chose, and what the service found by itself. */
    reading: { ...header, minDigits, mapping: sentMapping(shown?.columns ?? [], reading.mapping) },
    takesShort: minDigits === leastDigits,
    takeShort: (isTaken: boolean) => setMinDigits(isTaken ? leastDigits : proposedDigits),
    mapColumns: (mapping: Mapping) => setReading({ ...header, mapping }),
    readFrom: (sheet: string, headerRow?: number) =>
      setReading({ ...given({ sheet, headerRow }), mapping: {} }),
  };
};

export type Preview = ReturnType<typeof usePreview>;

type Props = { columns: readonly Column[]; chosen: Mapping; onChoose: (chosen: Mapping) => void };

const offered = ['phoneNumber', ...knownFields] as const;

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
            class: css.columnTitle,
            cell: (each) => (
              <>
                <bdi class="strong">{nameOf(each)}</bdi>
                {isTitled(each) && <div class="sub">{each.column}</div>}
              </>
            ),
          },
          {
            title: t.import.samples,
            class: 'clip faint',
            tip: ({ samples }) => samples.slice(0, 3).join(' · '),
            cell: ({ samples }) =>
              samples.slice(0, 3).map((sample, i) => (
                <Fragment key={i}>
                  {i > 0 && ' · '}
                  <bdi>{sample}</bdi>
                </Fragment>
              )),
          },
          {
            title: t.import.becomes,
            class: css.becomes,
            cell: (each) => {
              const key = keyOf(each);
              const field = fieldOf(each, chosen);
              // A field that the service sets itself cannot come from a file.
              const mayBeOwn = each.field !== '' || key in chosen;
              const choices = offered.map((value) => ({ value: value as string, label: t.title[value] }));
              // The service may know what a title means, such as the time zone of a contact.
              if (!['', key, ...offered].includes(each.field))
                choices.push({ value: each.field, label: each.field });
              return (
                <Select
                  label={`${t.import.becomes}: ${nameOf(each)}`}
                  value={field === '' || choices.some(({ value }) => value === field) ? field : 'own'}
                  onValue={(value) => onChoose({ ...chosen, [key]: value === 'own' ? key : value })}
                  options={[
                    ...choices,
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
