import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import type { TaskOverview } from '../../../client/answers.ts';
import { api, dataOf, once } from '../api/client.ts';
import { troubleOf, troubleWords } from '../api/errors.ts';
import { useWords } from '../i18n/i18n.ts';
import { SourcePicker } from '../sources/source-picker.tsx';
import { useOverview, useSource, useSourceNames } from '../tasks/queries.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field, SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { say } from '../ui/toast.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { bodyOf, draftOf, faultsOf, newDraft, type TaskDraft } from './task-draft.ts';
import { TaskSummary } from './task-summary.tsx';
import { useDraft } from './use-draft.ts';
import './task-form-screen.css';

const shown = [
  'taskName',
  'taskDesc',
  'dataSourceId',
  'dailyStartTime',
  'dailyEndTime',
  'timeZone',
  'weekdays',
  'excludedDates',
  'breaks',
  'excludedDataSourceIds',
  'maxDialCount',
  'callInterval',
  'priority',
];
const priorities = ['1', '2', '3', '4', '5'].map((value) => ({ value, label: value }));

/** Saved, though perhaps not published: then why. */
type Saved = { id: string; refused?: unknown };

const useSave = (taskId: string | undefined) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ draft, publish }: { draft: TaskDraft; publish: boolean }): Promise<Saved> => {
      const body = bodyOf(draft);
      const { id } =
        taskId === undefined
          ? await dataOf(
              api.POST('/api/task/add', {
                body: { ...body, dataSourceId: draft.source?.id ?? '' },
                ...once(),
              }),
            )
          : await dataOf(api.POST('/api/task/update', { body: { ...body, id: taskId }, ...once() }));
      if (!publish) return { id };
      return dataOf(api.POST('/api/task/publish', { body: { id }, ...once() })).then(
        () => ({ id }),
        (refused: unknown) => ({ id, refused }),
      );
    },
    onSettled: () =>
      Promise.all(
        ['tasks', 'overview', 'overviews'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      ),
  });
};

const Excluded = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  const names = useSourceNames(draft.excluded);
  return (
    <Field label={t.form.excluded} hint={t.form.excludedHint} error={faults.excludedDataSourceIds}>
      {({ id, describedBy, invalid }) => (
        <>
          {draft.excluded.length > 0 && (
            <ul class="tags">
              {draft.excluded.map((list, i) => (
                <li key={list.id} class="tag">
                  <bdi>{names[i]}</bdi>
                  <IconButton
                    label={`${t.common.remove} ${names[i]}`}
                    icon="cross"
                    onClick={() =>
                      onChange({ excluded: draft.excluded.filter((each) => each.id !== list.id) })
                    }
                  />
                </li>
              ))}
            </ul>
          )}
          {draft.excluded.length < 5 && (
            <SourcePicker
              id={id}
              describedBy={describedBy}
              invalid={invalid}
              again
              placeholder={t.form.addList}
              without={[...draft.excluded.map((list) => list.id), ...(draft.source ? [draft.source.id] : [])]}
              onPick={(list) => onChange({ excluded: [...draft.excluded, list] })}
            />
          )}
        </>
      )}
    </Field>
  );
};

type FieldsProps = {
  draft: TaskDraft;
  faults: Record<string, string>;
  onChange: (next: Partial<TaskDraft>) => void;
};

const WhoFields = ({ draft, faults, onChange, fixed }: FieldsProps & { fixed: boolean }) => {
  const t = useWords();
  return (
    <>
      <TextField
        label={t.form.taskName}
        value={draft.taskName}
        error={faults.taskName}
        onValue={(taskName) => onChange({ taskName })}
      />
      <TextField
        label={`${t.form.taskDesc} (${t.common.optional})`}
        value={draft.taskDesc}
        error={faults.taskDesc}
        onValue={(taskDesc) => onChange({ taskDesc })}
      />
      <Field
        label={t.form.dataSource}
        error={faults.dataSourceId}
        hint={fixed ? t.form.fixedSource : undefined}
      >
        {({ id, describedBy, invalid }) =>
          fixed ? (
            <input
              id={id}
              value={draft.source?.name ?? ''}
              aria-describedby={describedBy}
              disabled
              dir="auto"
            />
          ) : (
            <>
              <SourcePicker
                id={id}
                describedBy={describedBy}
                invalid={invalid}
                value={draft.source?.name ?? ''}
                placeholder={t.form.pickSource}
                onPick={(source) => onChange({ source })}
              />
              <Link href="/import" class="beside">
                {t.form.newSource}
              </Link>
            </>
          )
        }
      </Field>
      <Excluded draft={draft} faults={faults} onChange={onChange} />
    </>
  );
};

const HowFields = ({ draft, faults, onChange }: FieldsProps) => {
  const t = useWords();
  return (
    <div class="grid">
      <TextField
        label={t.form.attempts}
        value={draft.maxDialCount}
        inputMode="numeric"
        error={faults.maxDialCount}
        onValue={(maxDialCount) => onChange({ maxDialCount })}
      />
      <TextField
        label={t.form.interval}
        value={draft.callInterval}
        inputMode="numeric"
        error={faults.callInterval}
        onValue={(callInterval) => onChange({ callInterval })}
      />
      <SelectField
        label={t.form.priority}
        value={draft.priority}
        options={priorities}
        hint={t.form.priorityHint}
        error={faults.priority}
        onValue={(priority) => onChange({ priority })}
      />
    </div>
  );
};

const TaskForm = ({
  task,
  initial,
  draftKey,
}: {
  task?: TaskOverview;
  initial: () => TaskDraft;
  draftKey: string;
}) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const form = useDraft(draftKey, initial);
  const draft = form.value;
  /** How often it was looked at as a whole: what is wrong is gone to each time. */
  const [checked, setChecked] = useState(0);
  const [asking, setAsking] = useState(false);
  const source = useSource(draft.source?.id);
  const save = useSave(task?.id);
  const trouble = troubleOf(save.error, t, { taken: 'taskName', shown });
  const own = faultsOf(draft, t);
  const faults = { ...trouble.fields, ...(checked > 0 ? own : {}) };
  useEffect(() => {
    if (checked > 0 && Object.keys(faults).length > 0) {
      document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }, [checked, save.failureCount]);
  const isRight = () => {
    setChecked(checked + 1);
    return Object.keys(own).length === 0;
  };
  const store = (publish: boolean) =>
    save.mutate(
      { draft, publish },
      {
        onSuccess: ({ id, refused }) => {
          form.forget();
          if (refused !== undefined) say(troubleWords(refused, t));
          else say(publish ? t.form.published : t.form.saved);
          navigate(`/tasks/${id}`, { replace: true });
        },
        onSettled: () => setAsking(false),
      },
    );
  const change = (next: Partial<TaskDraft>) => {
    // A field that was only passed through is as it was.
    if (Object.entries(next).every(([name, value]) => draft[name as keyof TaskDraft] === value)) return;
    if (save.error) save.reset();
    form.change(next);
  };
  const fields = { draft, faults, onChange: change };
  const count = draft.source === undefined ? undefined : source.data?.contactCount;
  const submit = (event: Event) => {
    event.preventDefault();
    if (isRight()) setAsking(true);
  };
  return (
    <form class="task-form" onSubmit={submit} noValidate>
      <div class="form-main">
        {form.wasRestored && (
          <p class="banner">
            <span>{t.form.restored}</span>
            <Button kind="quiet" onClick={() => form.reset(initial())}>
              {t.form.discard}
            </Button>
          </p>
        )}
        <section class="card padded form-section">
          <h2>{t.form.who}</h2>
          <WhoFields {...fields} fixed={task !== undefined} />
        </section>
        <section class="card padded form-section">
          <h2>{t.form.when}</h2>
          <ScheduleFields {...fields} />
        </section>
        <section class="card padded form-section">
          <h2>{t.form.how}</h2>
          <HowFields {...fields} />
        </section>
      </div>
      <aside class="form-side" aria-label={t.form.summary}>
        <div class="card padded">
          <h2>{t.form.summary}</h2>
          <TaskSummary draft={draft} count={count} />
          <div class="form-actions">
            <Refused words={trouble.whole} />
            <Button kind="primary" type="submit">
              {t.form.publish}
            </Button>
            <Button
              busy={save.isPending && !save.variables.publish}
              onClick={() => isRight() && store(false)}
            >
              {task === undefined ? t.form.saveDraft : t.form.saveChanges}
            </Button>
          </div>
        </div>
      </aside>
      {asking && (
        <FormDialog
          title={t.form.publishTitle(draft.taskName.trim())}
          action={t.form.publishNow}
          first="action"
          busy={save.isPending}
          onClose={() => setAsking(false)}
          onSubmit={() => store(true)}
        >
          <TaskSummary draft={draft} count={count} />
        </FormDialog>
      )}
    </form>
  );
};

export const NewTaskScreen = () => {
  const t = useWords();
  const [query] = useSearchParams();
  const [copied, sourceId] = [query.get('copy') ?? '', query.get('source') ?? ''];
  const original = useOverview(copied);
  const source = useSource(sourceId);
  const isKnown = (copied === '' || original.data) && (sourceId === '' || source.data);
  const initial = (): TaskDraft => {
    if (original.data) return draftOf(original.data, '');
    const picked = source.data && { id: source.data.id, name: source.data.dataSourceName };
    return { ...newDraft(), source: picked, taskName: picked?.name ?? '' };
  };
  return (
    <Page title={t.form.newTitle} back={{ href: '/', label: t.tasks.title }}>
      {copied !== '' && <Awaited query={original} gone={t.task.notFound} />}
      {sourceId !== '' && <Awaited query={source} gone={t.sources.notFound} />}
      {isKnown && (
        <TaskForm key={copied + sourceId} initial={initial} draftKey={`new:${copied}${sourceId}`} />
      )}
    </Page>
  );
};

export const EditTaskScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const overview = useOverview(id);
  const task = overview.data;
  // As it was found: what is being typed stays, though a colleague publishes it meanwhile.
  const found = useRef<TaskOverview>();
  found.current ??= task;
  return (
    <Page
      title={task ? t.form.editTitle(task.taskName) : t.task.edit}
      back={{ href: `/tasks/${id}`, label: task?.taskName ?? t.tasks.title }}
    >
      <Awaited query={overview} gone={t.task.notFound} />
      {task && found.current?.status !== 0 && <Empty icon="tasks" words={t.form.noDraft} />}
      {task && found.current?.status === 0 && (
        <TaskForm task={task} initial={() => draftOf(task)} draftKey={`edit:${id}`} />
      )}
    </Page>
  );
};
