import { Link } from 'wouter-preact';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { useWords } from '../i18n/i18n.ts';
import { useSourceNames } from '../sources/queries.ts';
import { SourcePicker } from '../sources/source-picker.tsx';
import { Field, Group, PrioritySelect } from '../ui/fields/field.tsx';
import { PairFields, Tags } from '../ui/fields/rows-field.tsx';
import { RetryFields } from './retry-fields.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { type FieldsProps, SettingField, useSetting } from './setting-field.tsx';

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
      {(tied) => (
        <>
          <Tags
            tags={excluded.map(({ id }) => ({ id, label: names.get(id) ?? '' }))}
            onRemove={(id) => onChange({ excluded: excluded.filter((each) => each.id !== id) })}
          />
          {excluded.length < taskSettings.excludedDataSourceIds.maxItems && (
            <SourcePicker
              {...tied}
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
      {(tied) =>
        fixed ? (
          <input {...tied} value={value} disabled dir="auto" />
        ) : (
          <>
            <SourcePicker
              {...tied}
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
      <SettingField
        of={props}
        name="callerNumbers"
        label={t.common.optional(t.form.settings.callerNumbers)}
        hint={t.form.callerNumbersHint}
        inputMode="tel"
      />
      <PairFields
        label={t.common.optional(t.form.settings.callSettings)}
        hint={t.form.callSettingsHint}
        rows={props.draft.callSettings}
        onRows={(callSettings) => props.onChange({ callSettings })}
        nameAtMost={taskSettings.callSettings.propertyNames.maxLength}
        atMost={taskSettings.callSettings.maxProperties}
        error={props.faults.callSettings}
      />
    </>
  );
};

/** How many calls at most, and when the task pauses itself. */
export const Limits = (props: FieldsProps) => {
  const t = useWords();
  const { pauseWhen } = props.faults;
  return (
    <>
      <div class="grid two">
        {(['maxConcurrentCalls', 'callsPerMinute'] as const).map((name) => (
          <SettingField key={name} of={props} name={name} inputMode="numeric" placeholder={t.form.noLimit} />
        ))}
      </div>
      <Group label={t.form.settings.pauseWhen} error={pauseWhen} hint={t.form.brakeHint}>
        <div class="grid two">
          {(['failedPercent', 'failedCalls'] as const).map((name) => (
            <SettingField
              key={name}
              of={props}
              name={name}
              inputMode="numeric"
              aria-invalid={pauseWhen !== undefined}
            />
          ))}
        </div>
      </Group>
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
        <SettingField of={props} name="taskName" />
        <SettingField of={props} name="taskDesc" label={t.common.optional(t.form.settings.taskDesc)} />
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
          <SettingField of={props} name="maxDialCount" inputMode="numeric" />
          <SettingField of={props} name="callInterval" inputMode="numeric" />
          <PrioritySelect {...useSetting(props, 'priority')} />
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
