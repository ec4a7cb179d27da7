import { useEffect, useRef } from 'preact/hooks';
import { useWords } from '../../i18n/i18n.ts';
import { capital } from '../../i18n/phrases.ts';
import { Icon } from '../../ui/actions/button.tsx';
import { Group } from '../../ui/fields/field.tsx';
import { useSourceNames } from '../lists/queries.ts';
import { useCaps } from '../service/service.ts';
import css from './controls.module.css';
import type { TaskDraft } from './draft.ts';
import { newDraft } from './draft.ts';
import {
  groups,
  openSettings,
  type Row,
  type SettingGroup,
  type SettingName,
  settingOf,
  valueWords,
} from './settings.tsx';

export type FieldsProps = {
  draft: TaskDraft;
  faults: Record<string, string>;
  onChange: (next: Partial<TaskDraft>) => void;
};

/** The control of one setting, tied to the draft. Its hint says what a rule of the service adds. */
export const SettingField = ({ name, draft, faults, onChange }: FieldsProps & { name: SettingName }) => {
  const t = useWords();
  const cap = useCaps(t)[name];
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

/** A single value says little without its name. */
const saidWithName = new Set<SettingName>([
  ...(['callFrom', 'callUntil', 'maxConcurrentCalls', 'callsPerMinute', 'priority', 'breaks'] as const),
  ...(['excludedDates', 'excludedDataSourceIds', 'pauseWhen', 'callerNumbers', 'restAfterSuccess'] as const),
]);

/** What differs from a new task, in the reader's words. */
const useSetWords = (names: readonly SettingName[], draft: TaskDraft): string => {
  const t = useWords();
  const lists = useSourceNames(names.includes('excludedDataSourceIds') ? draft.excludedDataSourceIds : []);
  const usual = newDraft();
  const said = names
    .filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(usual[name]))
    .map((name) => {
      const words = valueWords(name, settingOf(name).value(draft[name]), lists, t);
      return words && saidWithName.has(name) ? `${t.setting[name].label}: ${words}` : words;
    });
  return capital(said.filter(Boolean).join(' · '));
};

type Props = FieldsProps & {
  group: SettingGroup;
  /** The settings that are shown; by default all that do not stand open. */
  only?: readonly string[];
};

/** Settings that are seldom changed: a line says what they are, until they are opened. */
export const FoldedSettings = ({ group, only, ...fields }: Props) => {
  const t = useWords();
  const isShown = (name: string) => only?.includes(name) ?? !openSettings.some((open) => open === name);
  const rows = groups[group]
    .map((row) => ({ ...row, names: row.names.filter(isShown) as SettingName[] }))
    .filter(({ names }) => names.length > 0);
  const names = rows.flatMap((row) => row.names);
  const words = useSetWords(names, fields.draft);
  const isWrong = names.some((name) => fields.faults[name] !== undefined);
  const box = useRef<HTMLDetailsElement>(null);
  // It stays open when the fault is gone.
  useEffect(() => {
    if (isWrong && box.current) box.current.open = true;
  }, [isWrong]);
  const rowOf = ({ names, group: title }: { names: readonly SettingName[]; group?: Row['group'] }) => {
    const shown = names.map((name) => <SettingField key={name} name={name} {...fields} />);
    if (shown.length < 2) return shown;
    const grid = <div class={shown.length === 2 ? 'grid two' : 'grid'}>{shown}</div>;
    if (title === undefined) return grid;
    return (
      <Group key={title} label={t.form[title]} hint={t.form.datesHint(fields.draft.timeZone)}>
        {grid}
      </Group>
    );
  };
  if (rows.length === 0) return null;
  return (
    <details class={css.folded} ref={box}>
      <summary>
        <span class="strong">{t.form[group]}</span>
        <bdi class={words ? '' : 'faint'}>
          {words || (group === 'when' ? t.form.usual.when(fields.draft.timeZone) : t.form.usual[group])}
        </bdi>
        <Icon name="right" />
      </summary>
      <div class="stack">{rows.map(rowOf)}</div>
    </details>
  );
};
