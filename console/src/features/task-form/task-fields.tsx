import { Link } from 'wouter-preact';
import { useWords } from '../../i18n/i18n.ts';
import { SourcePicker } from '../../parts/lists/source-picker.tsx';
import { type FieldsProps, SettingRows } from '../../parts/settings/setting-rows.tsx';
import { type Section, sections } from '../../parts/settings/settings.tsx';
import { Field } from '../../ui/fields/field.tsx';

type Props = FieldsProps & {
  /** The task exists: its contact list cannot be changed. */
  fixed: boolean;
};

const SourceField = ({ draft, faults, onChange, fixed }: Props) => {
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
            {draft.source === undefined && (
              <div>
                <Link href="/import">{t.form.newSource}</Link>
              </div>
            )}
          </>
        )
      }
    </Field>
  );
};

/** Who, when, how often, how fast, and what the dialer is told. */
export const TaskFields = (props: Props) => {
  const t = useWords();
  return (Object.keys(sections) as Section[]).map((section) => (
    <section key={section} class="card padded stack">
      <h2>{t.form[section]}</h2>
      <SettingRows {...props} section={section} source={<SourceField {...props} />} />
    </section>
  ));
};
