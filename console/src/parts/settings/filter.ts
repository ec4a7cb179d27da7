import type { TaskOverview } from '../../../../client/answers.ts';
import { knownFields } from '../../../../shared/contacts/rules.ts';
import { taskSettings } from '../../../../shared/tasks/rules.ts';
import type { Dictionary } from '../../i18n/i18n.ts';

type Filter = TaskOverview['contactFilter'];
type Condition = Filter[number];
export type Comparison = Condition['is'];

/** A condition as the form holds it: several values in one text. */
export type ConditionDraft = { field: string; is: Comparison; value: string };

const { is, value: values } = taskSettings.contactFilter.items.properties;
export const comparisons: readonly Comparison[] = is.enum;

export const needsValue = (comparison: Comparison) => comparison !== 'empty' && comparison !== 'notEmpty';

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
export const fieldTitles = ({ title }: Dictionary): ReadonlyMap<string, string> =>
  new Map((['phoneNumber', ...knownFields] as const).map((field) => [field, title[field]]));

export const filterWords = (filter: Filter, t: Dictionary): string =>
  filter
    .map(({ field, is: comparison, value }) =>
      [fieldTitles(t).get(field) ?? field, t.form.comparisons[comparison], textOf(value)]
        .filter(Boolean)
        .join(' '),
    )
    .join('; ');
