import { taskSettings } from '../../../../shared/tasks/rules.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Field } from '../../ui/fields/field.tsx';
import { Tags } from '../../ui/fields/rows-field.tsx';
import { useSourceNames } from '../lists/queries.ts';
import { SourcePicker } from '../lists/source-picker.tsx';
import type { ControlProps } from './setting.ts';

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
