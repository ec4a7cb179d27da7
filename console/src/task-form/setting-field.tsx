import type { ComponentProps } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { TextField } from '../ui/fields/field.tsx';
import type { TaskDraft } from './draft/task-draft.ts';

export type FieldsProps = {
  draft: TaskDraft;
  faults: Record<string, string>;
  onChange: (next: Partial<TaskDraft>) => void;
};

type TextName = {
  [Name in keyof TaskDraft]-?: TaskDraft[Name] extends string ? Name : never;
}[keyof TaskDraft];

/** What ties a field of the form to the draft, and its label. */
export const useSetting = ({ draft, faults, onChange }: FieldsProps, name: TextName) => ({
  label: useWords().form.settings[name],
  value: draft[name],
  error: faults[name],
  onValue: (value: string) => onChange({ [name]: value }),
});

type Props = { of: FieldsProps; name: TextName } & Partial<ComponentProps<typeof TextField>>;

export const SettingField = ({ of, name, ...rest }: Props) => (
  <TextField {...useSetting(of, name)} {...rest} />
);
