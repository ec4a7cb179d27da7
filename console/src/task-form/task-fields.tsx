import { Link } from 'wouter-preact';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { useWords } from '../i18n/i18n.ts';
import { useSourceNames } from '../sources/queries.ts';
import { SourcePicker } from '../sources/source-picker.tsx';
import { Field, PrioritySelect, TextField } from '../ui/field.tsx';
import { PairFields } from '../ui/pair-fields.tsx';
import { Tags } from '../ui/tags.tsx';
import { Limits } from './limit-fields.tsx';
import { RetryFields } from './retry-fields.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { bound, type FieldsProps } from './task-draft.ts';

export const Excluded = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const { excluded, source } = draft;
  const names = useSourceNames(excluded);
  return (
    <Field
      label={t.form.settings.excludedDataSourceIds}
      hint={t.form.excludedHint}
      error={faults.excludedDataSourceIds}
    >
      {(ids) => (
        <>
          <Tags
            tags={excluded.map(({ id }) => ({ id, label: names.get(id) ?? '' }))}
            onRemove={(id) => onChange({ excluded: excluded.filter((each) => each.id !== id) })}
          />
          {excluded.length < taskSettings.excludedDataSourceIds.maxItems && (
            <SourcePicker
              {...ids}
              again
              placeholder={t.form.addList}
              without={[...excluded, ...(source ? [source] : [])].map(({ id }) => id)}
              onPick={(list) => onChange({ excluded: [...excluded, list] })}
            />
          )}
        </>
      )}
    </Field>
  );
};

const SourceField = ({ draft, faults, onChange, fixed }: FieldsProps & { fixed: boolean }) => {
  const t = useWords();
  const value = draft.source?.name ?? '';
  return (
    <Field
      label={t.task.dataSource}
      error={faults.dataSourceId}
      hint={fixed ? t.form.fixedSource : undefined}
    >
      {(ids) =>
        fixed ? (
          <input id={ids.id} value={value} aria-describedby={ids.describedBy} disabled dir="auto" />
        ) : (
          <>
            <SourcePicker
              {...ids}
              value={value}
              placeholder={t.form.pickSource}
              onPick={(source) => onChange({ source })}
            />
            <div>
              <Link href="/import">{t.form.newSource}</Link>
            </div>
          </>
        )
      }
    </Field>
  );
};

export const Told = (props: FieldsProps) => {
  const t = useWords();
  return (
    <>
      <TextField
        label={t.common.optional(t.form.settings.callerNumbers)}
        hint={t.form.callerNumbersHint}
        inputMode="tel"
        {...bound(props, 'callerNumbers')}
      />
      <PairFields
        label={t.common.optional(t.form.settings.callSettings)}
        hint={t.form.callSettingsHint}
        pairs={props.draft.callSettings}
        onPairs={(callSettings) => props.onChange({ callSettings })}
        nameAtMost={taskSettings.callSettings.propertyNames.maxLength}
        atMost={taskSettings.callSettings.maxProperties}
        error={props.faults.callSettings}
      />
    </>
  );
};

/** Who, when, how often, how fast, and what the dialer is told. */
export const TaskFields = ({ fixed, ...props }: FieldsProps & { fixed: boolean }) => {
  const t = useWords();
  return (
    <>
      <section class="card padded stack">
        <h2>{t.form.who}</h2>
        <TextField label={t.form.settings.taskName} {...bound(props, 'taskName')} />
        <TextField label={t.common.optional(t.form.settings.taskDesc)} {...bound(props, 'taskDesc')} />
        <SourceField {...props} fixed={fixed} />
        <Excluded {...props} />
      </section>
      <section class="card padded stack">
        <h2>{t.form.when}</h2>
        <ScheduleFields {...props} />
      </section>
      <section class="card padded stack">
        <h2>{t.form.how}</h2>
        <div class="grid">
          <TextField
            label={t.form.settings.maxDialCount}
            inputMode="numeric"
            {...bound(props, 'maxDialCount')}
          />
          <TextField
            label={t.form.settings.callInterval}
            inputMode="numeric"
            {...bound(props, 'callInterval')}
          />
          <PrioritySelect label={t.form.settings.priority} {...bound(props, 'priority')} />
        </div>
        <RetryFields {...props} />
      </section>
      <section class="card padded stack">
        <h2>{t.form.limits}</h2>
        <Limits {...props} />
      </section>
      <section class="card padded stack">
        <h2>{t.form.told}</h2>
        <Told {...props} />
      </section>
    </>
  );
};
