import { queryOptions, useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/client.ts';
import { taskSettings } from '../../../../shared/tasks/rules/task-settings.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { askedOnce, change, read, useRefresh } from '../../api/client.ts';
import { troubleOf, troubleWords } from '../../api/errors.ts';
import { keptInTab } from '../../base/preferences.ts';
import { useWords } from '../../i18n/i18n.ts';
import { sourceQuery } from '../../parts/lists/queries.ts';
import { SourcePicker } from '../../parts/lists/source-picker.tsx';
import {
  PreflightFigures,
  PublishQuestion,
  TaskSummary,
  usePreflight,
} from '../../parts/publish/publish.tsx';
import {
  ConflictDialog,
  mergedWith,
  overruling,
  saveChanges,
  TaskConflict,
} from '../../parts/settings/conflict-dialog.tsx';
import {
  bodyOf,
  deadEndOf,
  draftOf,
  editOf,
  faultsOf,
  newDraft,
  saidAt,
  type TaskDraft,
} from '../../parts/settings/draft.ts';
import { type FieldsProps, FoldedSettings, SettingField } from '../../parts/settings/setting-rows.tsx';
import { groups, type SettingGroup } from '../../parts/settings/settings.tsx';
import { countSelected, moveTask } from '../../parts/tasks/changes.ts';
import { overviewQuery, taskKeys } from '../../parts/tasks/queries.ts';
import { Button, Refused } from '../../ui/actions/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Awaited, Empty, Page, say } from '../../ui/page/page.tsx';
import { freeName } from './free-name.ts';
import css from './task-form-screen.module.css';

/** What is being typed outlives a reload and a new sign-in, in this tab. */
const useDraft = <T,>(name: string, initial: () => T) => {
  const key = `console.draft.${name}`;
  const [restored, setRestored] = useState(() => keptInTab<Partial<T>>(key));
  const [value, setValue] = useState<T>(() => ({ ...initial(), ...restored }));
  const forget = () => sessionStorage.removeItem(key);
  return {
    value,
    wasRestored: restored !== undefined,
    change: (next: Partial<T>) =>
      setValue((before) => {
        const after = { ...before, ...next };
        sessionStorage.setItem(key, JSON.stringify(after));
        return after;
      }),
    reset: () => {
      forget();
      setRestored(undefined);
      setValue(initial());
    },
    forget,
  };
};

/** Saved, though perhaps not published: then why. */
type Saved = { id: string; refused?: unknown };

const useSave = (taskId: string | undefined) => {
  const refresh = useRefresh(taskKeys);
  return useMutation({
    mutationFn: async ({ draft, publish }: { draft: TaskDraft; publish: boolean }): Promise<Saved> => {
      const add = () => {
        const body = { ...bodyOf(draft), dataSourceId: draft.source?.id ?? '' };
        return change('/api/task/add', body);
      };
      if (taskId !== undefined && draft.base) await saveChanges('update', taskId, bodyOf(draft), draft.base);
      const id = taskId ?? (await add()).id;
      if (!publish) return { id };
      return moveTask('publish', id).then(
        () => {
          if (draft.contactFilter?.length) countSelected(id);
          return { id };
        },
        (refused: unknown) => ({ id, refused }),
      );
    },
    onSettled: refresh,
  });
};

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

/** The list, the name, the hours and the attempts; the rest is folded. */
const TaskFields = (props: Props) => {
  const t = useWords();
  return (
    <>
      <div class={css.basics}>
        <SourceField {...props} />
        <SettingField name="taskName" {...props} />
        <div class={css.line}>
          <span class="strong">{t.task.hours}</span>
          <div class="row wrap">
            <SettingField name="weekdays" {...props} />
            <SettingField name="dailyStartTime" {...props} />
            <span>–</span>
            <SettingField name="dailyEndTime" {...props} />
            <span class={`${css.note} sub`}>{t.form.inThisZone(props.draft.timeZone)}</span>
          </div>
        </div>
        <div class={css.line}>
          <span class="strong">{t.task.attempts}</span>
          <div class="row wrap">
            <span>{t.form.atMostCalls}</span>
            <SettingField name="maxDialCount" {...props} />
            <span>{t.form.timesAtLeast}</span>
            <SettingField name="callInterval" {...props} />
            <span>{t.form.secondsApart}</span>
          </div>
        </div>
      </div>
      <div class={css.folded}>
        {(Object.keys(groups) as SettingGroup[]).map((group) => (
          <FoldedSettings key={group} group={group} {...props} />
        ))}
      </div>
    </>
  );
};

const shown = ['taskName', 'dataSourceId', ...Object.keys(taskSettings)];

type TaskFormProps = { task?: TaskOverview; initial: () => TaskDraft; draftKey: string };

const TaskForm = ({ task, initial, draftKey }: TaskFormProps) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const form = useDraft(draftKey, initial);
  const draft = form.value;
  /** How often the whole form was checked: each time the focus goes to the first fault. */
  const [checked, setChecked] = useState(0);
  const [asking, setAsking] = useState(false);
  const save = useSave(task?.id);
  const conflict = save.error instanceof TaskConflict ? save.error : undefined;
  const trouble = troubleOf(conflict ? undefined : save.error, t, { taken: 'taskName', shown });
  const own = faultsOf(draft, t);
  const deadEnd = deadEndOf(draft, t, Date.now());
  /** Fields that the reader has changed: their faults are said at once. */
  const [touched, touch] = useState<ReadonlySet<string>>(new Set());
  const isSaid = (name: string) => checked > 0 || touched.has(saidAt[name] ?? name);
  const said = Object.fromEntries(Object.entries(own).filter(([name]) => isSaid(name)));
  const faults = { ...trouble.fields, ...deadEnd, ...said };
  const isDead = Object.keys(deadEnd).length > 0;
  const { isCounting } = usePreflight(draft);
  useEffect(() => {
    if (checked > 0 && Object.keys(faults).length > 0) {
      document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }, [checked, save.failureCount]);
  useEffect(() => document.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true }), []);
  const isRight = () => {
    setChecked(checked + 1);
    return Object.keys(own).length === 0;
  };
  const store = (publish: boolean, stored = draft) =>
    save.mutate(
      { draft: stored, publish },
      {
        onSuccess: ({ id, refused }) => {
          form.forget();
          if (refused !== undefined) say(troubleWords(refused, t));
          else say(publish ? t.task.operation.publish : t.form.saved);
          navigate(`/tasks/${id}`, { replace: true });
        },
        onSettled: () => setAsking(false),
      },
    );
  const change = (next: Partial<TaskDraft>) => {
    // Leaving a field without a change is no change.
    if (Object.entries(next).every(([name, value]) => draft[name as keyof TaskDraft] === value)) return;
    if (save.error) save.reset();
    touch(new Set([...touched, ...Object.keys(next).flatMap((name) => [name, saidAt[name] ?? name])]));
    form.change(next);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isRight()) setAsking(true);
  };
  return (
    <form class="with-summary" onSubmit={submit} noValidate>
      <div class="stack">
        {form.wasRestored && (
          <p class="banner row">
            <span>{t.form.restored}</span>
            <Button kind="quiet" onClick={form.reset} label={t.form.discard} />
          </p>
        )}
        <TaskFields draft={draft} faults={faults} onChange={change} fixed={task !== undefined} />
      </div>
      <aside class="summary stack" aria-label={t.form.summary}>
        {draft.source !== undefined && <PreflightFigures draft={draft} isBrief />}
        <TaskSummary draft={draft} isBrief />
        <div class="actions stack">
          <Refused words={trouble.whole} />
          <Button kind="primary" type="submit" busy={isCounting} disabled={isDead} label={t.task.publish} />
          <Button
            busy={save.isPending && !save.variables.publish}
            onClick={() => isRight() && store(false)}
            label={task === undefined ? t.form.saveDraft : t.form.saveChanges}
          />
        </div>
      </aside>
      {asking && (
        <PublishQuestion
          draft={draft}
          busy={save.isPending}
          onClose={() => setAsking(false)}
          onSubmit={() => store(true)}
        />
      )}
      {conflict && (
        <ConflictDialog
          draft={draft}
          conflict={conflict}
          busy={save.isPending}
          onClose={() => save.reset()}
          onTheirs={() => change(mergedWith(draft, conflict))}
          onMine={() => store(save.variables?.publish ?? false, overruling(draft, conflict))}
        />
      )}
    </form>
  );
};

/** Tasks that may have the name. Asked for anew each time: a name may be taken a moment later. */
const namesakesQuery = (taskName: string) =>
  queryOptions({
    ...askedOnce,
    gcTime: 0,
    queryKey: ['namesakes', taskName],
    queryFn: ({ signal }) => read('/api/task/list', { query: { taskName } }, signal),
    enabled: taskName !== '',
  });

export const NewTaskScreen = () => {
  const t = useWords();
  const [query] = useSearchParams();
  const [copied, sourceId] = [query.get('copy') ?? '', query.get('source') ?? ''];
  const original = useQuery({ ...overviewQuery(copied), refetchInterval: false });
  const source = useQuery({ ...sourceQuery(sourceId), refetchInterval: false });
  const picked = source.data && { id: source.data.id, name: source.data.dataSourceName };
  const namesakes = useQuery(namesakesQuery(picked?.name ?? ''));
  const isKnown = (copied === '' || original.data) && (sourceId === '' || !namesakes.isPending);
  const initial = (): TaskDraft => {
    if (original.data) return { ...draftOf(original.data), taskName: '' };
    return { ...newDraft(), source: picked, taskName: freeName(picked?.name ?? '', namesakes.data) };
  };
  return (
    <Page title={t.tasks.new} back={{ href: '/tasks', label: t.tasks.title }}>
      {copied !== '' && <Awaited query={original} />}
      {sourceId !== '' && <Awaited query={picked && namesakes.isPending ? namesakes : source} />}
      {isKnown && (
        <TaskForm key={copied + sourceId} initial={initial} draftKey={`new:${copied}${sourceId}`} />
      )}
    </Page>
  );
};

export const EditTaskScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const overview = useQuery(overviewQuery(id));
  const task = overview.data;
  // What is being typed stays, though a colleague publishes the task meanwhile.
  const found = useRef<TaskOverview>();
  found.current ??= task;
  const wasDraft = found.current?.status === status.draft;
  return (
    <Page
      title={task ? t.form.editTitle(task.taskName) : t.common.edit}
      back={{ href: `/tasks/${id}`, label: task?.taskName ?? t.tasks.title }}
    >
      <Awaited query={overview} />
      {task && !wasDraft && <Empty icon="tasks" words={t.form.noDraft} />}
      {task && wasDraft && task.status !== status.draft && (
        <p class="banner row warning" role="alert">
          <span>{t.form.publishedMeanwhile}</span>
          <Link href={`/tasks/${id}`}>{t.form.showTask}</Link>
        </p>
      )}
      {task && wasDraft && <TaskForm task={task} initial={() => editOf(task)} draftKey={`edit:${id}`} />}
    </Page>
  );
};
