import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import type { TaskOverview } from '../../../../client/client.ts';
import { knownFields } from '../../../../shared/contacts/rules/contact.ts';
import { taskSettings } from '../../../../shared/tasks/rules/task-settings.ts';
import { useSettled } from '../../base/store.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { Field, Select } from '../../ui/fields/field.tsx';
import { RowsField, Tags } from '../../ui/fields/rows-field.tsx';
import { ownFieldsOf } from '../lists/contact-fields.ts';
import { contactsQuery, preflightQuery, useSourceNames } from '../lists/queries.ts';
import { SourcePicker } from '../lists/source-picker.tsx';
import type { ControlProps } from './setting.ts';

type Filter = TaskOverview['contactFilter'];
type Condition = Filter[number];
type Comparison = Condition['is'];

/** A condition as the form holds it: several values in one text. */
export type ConditionDraft = { field: string; is: Comparison; value: string };

const { is, value: values } = taskSettings.contactFilter.items.properties;
const comparisons: readonly Comparison[] = is.enum;

const needsValue = (comparison: Comparison) => comparison !== 'empty' && comparison !== 'notEmpty';

const valuesIn = (typed: string): string[] =>
  typed
    .split(/[,，;；、\n]/)
    .map((each) => each.trim())
    .filter(Boolean);

const textOf = (value: Condition['value']): string => [value ?? ''].flat().map(String).join(', ');

export const conditionDraft = ({ field, is: comparison, value }: Condition): ConditionDraft => ({
  field,
  is: comparison,
  value: textOf(value),
});

/** Rows in which nothing was typed do not count. */
const filled = (rows: readonly ConditionDraft[]) =>
  rows.filter(({ field, value }) => field.trim() !== '' || value.trim() !== '');

export const filterOf = (rows: readonly ConditionDraft[]): Filter =>
  filled(rows).map(({ field, is: comparison, value }) => ({
    field: field.trim(),
    is: comparison,
    ...(needsValue(comparison) && { value: comparison === 'in' ? valuesIn(value) : value.trim() }),
  }));

const isConditionWrong = ({ field, is: comparison, value }: ConditionDraft): boolean => {
  if (field.trim() === '') return true;
  if (!needsValue(comparison)) return false;
  return value.trim() === '' || (comparison === 'in' && valuesIn(value).length > values.maxItems);
};

export const isFilterWrong = (rows: readonly ConditionDraft[]): boolean =>
  filled(rows).some(isConditionWrong);

/** Fields that every contact may have, under the names that the reader knows. */
const fieldTitles = ({ title }: Dictionary): ReadonlyMap<string, string> =>
  new Map((['phoneNumber', ...knownFields] as const).map((field) => [field, title[field]]));

export const filterWords = (filter: Filter, t: Dictionary): string =>
  filter
    .map(({ field, is: comparison, value }) =>
      [fieldTitles(t).get(field) ?? field, t.form.comparisons[comparison], textOf(value)]
        .filter(Boolean)
        .join(' '),
    )
    .join('; ');

/** The name of a list that was chosen before is not known at once. */
export type ListDraft = { id: string; name?: string | undefined };

/** Lists whose numbers are not called. */
export const ExcludedControl = ({
  label,
  error,
  hint,
  value,
  onValue,
  sourceId,
}: ControlProps<ListDraft[]>) => {
  const t = useWords();
  const names = useSourceNames(value);
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <>
          <Tags
            tags={value.map(({ id }) => ({ id, label: names.get(id) ?? '' }))}
            onRemove={(id) => onValue(value.filter((each) => each.id !== id))}
          />
          {value.length < taskSettings.excludedDataSourceIds.maxItems && (
            <SourcePicker
              {...tied}
              placeholder={t.form.addList}
              without={[...value.map(({ id }) => id), sourceId ?? '']}
              onPick={(list) => onValue([...value, list])}
            />
          )}
        </>
      )}
    </Field>
  );
};

/** Contacts whose fields and values are proposed. */
const sampled = 100;
/** Different values of a field that are proposed. */
const proposedAtMost = 20;

/** How many contacts match, once the reader stops typing. */
const Matching = ({ sourceId, rows }: { sourceId: string | undefined; rows: ConditionDraft[] }) => {
  const t = useWords();
  const settled = useSettled(rows);
  const isAsked = sourceId !== undefined && settled.length > 0 && !isFilterWrong(settled);
  const body = { dataSourceId: sourceId ?? '', contactFilter: filterOf(settled) };
  const { data: found, isFetching } = useQuery({ ...preflightQuery(body), enabled: isAsked });
  if (!isAsked || !(found || isFetching)) return null;
  return (
    <p class="sub" role="status">
      {found
        ? t.form.matching(found.total - found.notSelected, found.total, found.estimated)
        : t.preflight.counting}
    </p>
  );
};

/** Which contacts of the list are called: fields and values are proposed from its first contacts. */
export const FilterControl = ({
  label,
  error,
  hint,
  value: rows,
  onValue,
  sourceId,
}: ControlProps<ConditionDraft[]>) => {
  const t = useWords();
  const id = useId();
  const isShown = sourceId !== undefined && rows.length > 0;
  const { data } = useQuery({
    ...contactsQuery(sourceId ?? '', '', 1, sampled),
    enabled: isShown,
    refetchInterval: false,
  });
  const contacts = data?.rows ?? [];
  const titles = fieldTitles(t);
  const fields = [...new Set([...titles.keys(), ...contacts.flatMap(ownFieldsOf)])];
  const valuesOf = (field: string) =>
    [...new Set(contacts.map((contact) => String(contact[field] ?? '')))]
      .filter(Boolean)
      .slice(0, proposedAtMost);
  return (
    <>
      <RowsField
        {...{ label, error, hint, rows }}
        onRows={onValue}
        atMost={taskSettings.contactFilter.maxItems}
        fresh={{ label: t.form.addCondition, row: { field: '', is: 'equal', value: '' } }}
        nameOf={({ field }) => field}
      >
        {({ field, is, value }, put, at) => (
          <>
            <input
              aria-label={t.form.condition.field(at + 1)}
              placeholder={t.contacts.fieldName}
              list={`${id}-fields`}
              dir="auto"
              value={field}
              aria-invalid={error !== undefined && field.trim() === ''}
              onInput={(event) => put({ field: event.currentTarget.value })}
            />
            <Select
              label={t.form.condition.is(at + 1)}
              value={is}
              options={comparisons.map((each) => ({ value: each, label: t.form.comparisons[each] }))}
              onValue={(each) => put({ is: each as Comparison })}
            />
            {needsValue(is) && (
              <>
                <input
                  aria-label={t.form.condition.value(at + 1)}
                  placeholder={is === 'in' ? t.form.severalValues : t.contacts.fieldValue}
                  list={`${id}-values-${at}`}
                  dir="auto"
                  value={value}
                  aria-invalid={error !== undefined && value.trim() === ''}
                  onInput={(event) => put({ value: event.currentTarget.value })}
                />
                <datalist id={`${id}-values-${at}`}>
                  {valuesOf(field.trim()).map((each) => (
                    <option key={each} value={each} />
                  ))}
                </datalist>
              </>
            )}
          </>
        )}
      </RowsField>
      <datalist id={`${id}-fields`}>
        {fields.map((each) => (
          <option key={each} value={each} label={titles.get(each)} />
        ))}
      </datalist>
      <Matching sourceId={sourceId} rows={rows} />
    </>
  );
};
