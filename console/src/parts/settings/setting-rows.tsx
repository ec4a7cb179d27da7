import type { ComponentChildren } from 'preact';
import { useWords } from '../../i18n/i18n.ts';
import { Group } from '../../ui/fields/field.tsx';
import { useCaps } from '../service/service.ts';
import type { TaskDraft } from './draft.ts';
import { type Row, type Section, type SettingName, sections, settingOf } from './settings.tsx';

export type FieldsProps = {
  draft: TaskDraft;
  faults: Record<string, string>;
  onChange: (next: Partial<TaskDraft>) => void;
};

/** `cap`: what a rule of the service says about the setting. */
type FieldProps = FieldsProps & { name: SettingName; cap: string | undefined };

/** The control of one setting, tied to the draft. */
const SettingField = ({ name, cap, draft, faults, onChange }: FieldProps) => {
  const t = useWords();
  const words: { label: string; hint?: string } = t.setting[name];
  const { Control, isOptional } = settingOf(name);
  return (
    <Control
      label={isOptional ? t.common.optional(words.label) : words.label}
      hint={[words.hint, cap].filter(Boolean).join(' ') || undefined}
      error={faults[name]}
      value={draft[name]}
      onValue={(value) => onChange({ [name]: value })}
      zone={draft.timeZone}
      sourceId={draft.source?.id}
    />
  );
};

type Props = FieldsProps & {
  section: Section;
  /** The settings that are shown; all of them by default. */
  only?: readonly string[];
  /** The field of the contact list, where that is shown. */
  source?: ComponentChildren;
};

/** The settings of a section: those of a row beside each other where there is room. */
export const SettingRows = ({ section, only, source, ...fields }: Props) => {
  const t = useWords();
  const caps = useCaps(t);
  const fieldsOf = (names: Row['names']) =>
    names
      .filter((name) => only?.includes(name) ?? true)
      .map((name) =>
        name === 'dataSourceId' ? (
          source
        ) : (
          <SettingField key={name} name={name} cap={caps[name]} {...fields} />
        ),
      );
  return (
    <>
      {sections[section].map(({ names, group }) => {
        const shown = fieldsOf(names);
        if (shown.length < 2) return shown;
        const grid = <div class={shown.length === 2 ? 'grid two' : 'grid'}>{shown}</div>;
        if (group === undefined) return grid;
        return (
          <Group key={group} label={t.form[group]} hint={t.form.datesHint(fields.draft.timeZone)}>
            {grid}
          </Group>
        );
      })}
    </>
  );
};
