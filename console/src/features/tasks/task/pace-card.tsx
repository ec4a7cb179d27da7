import { useMutation } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TaskOverview } from '../../../../../client/answers.ts';
import { taskSettings } from '../../../../../shared/tasks/rules.ts';
import { troubleOf } from '../../../api/errors.ts';
import { useRefresh } from '../../../api/query-client.ts';
import { useWords } from '../../../i18n/i18n.ts';
import { editOf } from '../../../parts/settings/draft.ts';
import { saveChanges, TaskConflict } from '../../../parts/settings/save.ts';
import { isLimit, numberOrNull } from '../../../parts/settings/setting.ts';
import { taskKeys } from '../../../parts/tasks/queries.ts';
import { useForecasts } from '../../../parts/tasks/use-forecast.ts';
import { usePerson } from '../../../session/person.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Card } from '../../../ui/page/page.tsx';
import css from './pace-card.module.css';
import { type Limit, stepped } from './steps.ts';

/** A limit is sent once the reader has stopped pressing. */
const quietMs = 700;
type StepperProps = { task: TaskOverview; name: Limit; current: number };
const Stepper = ({ task, name, current }: StepperProps) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const refresh = useRefresh(taskKeys);
  const known = task[name] === null ? '' : String(task[name]);
  const [typed, setTyped] = useState<string | undefined>();
  const value = typed ?? known;
  // The task as it was when the reader began.
  const base = useRef(task);
  if (typed === undefined) base.current = task;
  const isRight = isLimit(value, taskSettings[name]);
  const sending = useMutation({
    mutationFn: (limit: number | null) => {
      const before = editOf(base.current).base;
      return saveChanges('adjust', task.id, { ...before.body, [name]: limit }, before);
    },
    onSuccess: (answer, limit) => {
      const updateTime = answer?.updateTime ?? base.current.updateTime;
      base.current = { ...base.current, [name]: limit, updateTime };
    },
    onSettled: async (_answer, error, limit) => {
      await refresh();
      // What was pressed meanwhile is sent next, unless a colleague has set the same limit.
      const isDone = (latest = '') => error instanceof TaskConflict || numberOrNull(latest) === limit;
      setTyped((latest) => (isDone(latest) ? undefined : latest));
    },
  });
  useEffect(() => {
    if (typed === undefined || typed === known || !isRight || sending.isPending) return;
    const timer = setTimeout(() => sending.mutate(numberOrNull(typed)), quietMs);
    return () => clearTimeout(timer);
  }, [typed, known, isRight, sending.isPending]);
  const label = t.setting[name].label;
  const step = (up: boolean) => (
    <Button
      disabled={!mayWrite || (!up && value === '')}
      aria-label={up ? t.adjust.more(label) : t.adjust.less(label)}
      onClick={() => setTyped(String(stepped(isRight ? numberOrNull(value) : null, up, name, current)))}
      label={up ? '+' : '−'}
    />
  );
  const refused =
    sending.error instanceof TaskConflict ? t.errors.codes.CHANGED_SINCE : troubleOf(sending.error, t).whole;
  const error = isRight ? refused : t.setting[name].fault;
  return (
    <Field label={label} error={error}>
      {(tied) => (
        <div class={`${css.stepper} row`}>
          {step(false)}
          <input
            {...tied}
            inputMode="numeric"
            autocomplete="off"
            placeholder={t.form.noLimit}
            value={value}
            disabled={!mayWrite}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          {step(true)}
          {mayWrite && value !== '' && (
            <Button
              kind="quiet"
              aria-label={t.adjust.without(label)}
              onClick={() => setTyped('')}
              label={t.form.noLimit}
            />
          )}
        </div>
      )}
    </Field>
  );
};

/** How many calls a task makes at the same time and in a minute, to be changed while it runs. */
export const PaceCard = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const perMinute = useForecasts([task]).get(task.id)?.forecast?.perMinute ?? 0;
  return (
    <Card title={t.form.limits}>
      <div class="stack">
        <Stepper task={task} name="maxConcurrentCalls" current={task.contacts.inCall} />
        <Stepper task={task} name="callsPerMinute" current={perMinute} />
        <p class="sub">{t.adjust.paceHint}</p>
      </div>
    </Card>
  );
};
