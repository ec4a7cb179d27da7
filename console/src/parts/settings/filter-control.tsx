import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import { taskSettings } from '../../../../shared/tasks/rules.ts';
import { useSettled } from '../../base/use-settled.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Select } from '../../ui/fields/field.tsx';
import { RowsField } from '../../ui/fields/rows-field.tsx';
import { ownFieldsOf } from '../lists/contact-fields.ts';
import { contactsQuery, preflightQuery } from '../lists/queries.ts';
import {
  type Comparison,
  type ConditionDraft,
  comparisons,
  fieldTitles,
  filterOf,
  isFilterWrong,
  needsValue,
} from './filter.ts';
import type { ControlProps } from './setting.ts';

/** Contacts whose fields and values are proposed. */
const sampled = 100;
/** Different values of a field that are proposed. */
const proposedAtMost = 20;

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value));

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
    [...new Set(contacts.map((contact) => textOf(contact[field])))].filter(Boolean).slice(0, proposedAtMost);
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
