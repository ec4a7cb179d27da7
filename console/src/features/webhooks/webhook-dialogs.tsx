import { keepPreviousData, queryOptions, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { Webhook, WebhookSettings } from '../../../../client/client.ts';
import { eventTypes } from '../../../../shared/events/rules/service-event.ts';
import { dayMs } from '../../../../shared/platform/time/time.ts';
import { askedOnce, change, given, read } from '../../api/client.ts';
import { settings } from '../../base/page-settings.ts';
import { useWords } from '../../i18n/i18n.ts';
import { useWebhookWords } from '../../i18n/webhook-words.ts';
import { taskListQuery } from '../../parts/tasks/queries.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, FormDialog, useDialog } from '../../ui/actions/dialog.tsx';
import { ChoiceChips, Group, TextField } from '../../ui/fields/field.tsx';
import { say } from '../../ui/page/page.tsx';
import css from './webhooks-screen.module.css';

type DeliveryFilter = { status: 'failed' | undefined; pageToken: string };

/** Only the first page changes. */
export const deliveriesQuery = (id: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: ['deliveries', id, filter],
    queryFn: ({ signal }) =>
      read('/api/webhook/{id}/deliveries', { path: { id }, query: given(filter) }, signal),
    placeholderData: keepPreviousData,
    ...(filter.pageToken === '' ? {} : askedOnce),
  });

const addWebhook = (body: WebhookSettings) => change('/api/webhook/add', body);

type Changes = Partial<WebhookSettings> & { enabled?: boolean; newSecret?: boolean };

export const changeWebhook = (id: string, changes: Changes) =>
  change('/api/webhook/update', { id, ...changes });

export const deleteWebhook = (id: string) => change('/api/webhook/delete', { id });

type Wish = { test: true } | { eventIds: string[] } | { from: string; to: string };

export const sendTo = (id: string, wish: Wish) => change('/api/webhook/send', { id, ...wish });

/** A secret that the service has just shown; `undefined`: the change had none. */
export type Shown = { id: string; secret?: string | null };

/** Of all tasks, the newest can be selected. */
const tasksAtMost = 20;

const TaskChoice = ({ chosen, onChosen }: { chosen: string[]; onChosen: (ids: string[]) => void }) => {
  const w = useWebhookWords();
  const tasks = useQuery(taskListQuery('', tasksAtMost));
  const newest = (tasks.data?.rows ?? []).map(({ id, taskName }) => ({ value: id, label: taskName }));
  const older = chosen.filter((id) => newest.every(({ value }) => value !== id));
  const choices = [...newest, ...older.map((id) => ({ value: id, label: id }))];
  if (choices.length === 0) return null;
  return (
    <Group label={w.tasks} hint={w.tasksHint}>
      <ChoiceChips choices={choices} chosen={chosen} onChosen={onChosen} />
    </Group>
  );
};

const newWebhook: WebhookSettings = {
  url: '',
  types: [...eventTypes],
  taskIds: [],
  expandCall: false,
  description: '',
};

type WebhookDialogProps = { webhook?: Webhook; onClose: () => void; onSaved?: (saved: Shown) => void };

/** Adds a webhook, or changes its settings. */
export const WebhookDialog = ({ webhook, onClose, onSaved }: WebhookDialogProps) => {
  const t = useWords();
  const w = useWebhookWords();
  const [typed, setTyped] = useState<WebhookSettings>(webhook ?? newWebhook);
  const type = (changes: Partial<WebhookSettings>) => setTyped({ ...typed, ...changes });
  const dialog = useDialog({
    change: (): Promise<Shown> => {
      const { url, types, taskIds, expandCall, description } = typed;
      const saved = { url: url.trim(), types, taskIds, expandCall, description };
      return webhook === undefined ? addWebhook(saved) : changeWebhook(webhook.id, saved);
    },
    ...(webhook && { said: () => t.common.saved }),
    onDone: (saved) => onSaved?.(saved),
    refreshes: ['webhooks'],
    shown: ['url', 'taskIds', 'description'],
    onClose,
  });
  const { url, taskIds } = dialog.fields;
  return (
    <FormDialog
      title={webhook ? w.edit : w.add}
      action={webhook ? t.common.save : t.common.add}
      disabled={typed.types.length === 0}
      wide
      {...dialog.form}
      refused={taskIds ?? dialog.form.refused}
    >
      <TextField
        label={w.url}
        type="url"
        value={typed.url}
        hint={w.urlHint}
        error={url && w.urlFault}
        onValue={(value) => type({ url: value })}
      />
      <TextField
        label={t.common.optional(t.setting.taskDesc.label)}
        value={typed.description}
        error={dialog.fields.description}
        onValue={(description) => type({ description })}
      />
      <Group label={w.types} error={typed.types.length === 0 ? w.noTypes : undefined}>
        <ChoiceChips
          choices={eventTypes.map((value) => ({ value, label: w.type[value], title: value }))}
          chosen={typed.types}
          onChosen={(types) => type({ types })}
        />
      </Group>
      <TaskChoice chosen={typed.taskIds} onChosen={(ids) => type({ taskIds: ids })} />
      <label class="row">
        <input
          type="checkbox"
          checked={typed.expandCall}
          onChange={({ currentTarget }) => type({ expandCall: currentTarget.checked })}
        />
        {w.expandCall}
      </label>
    </FormDialog>
  );
};

const receiverLines = `import { Webhook } from 'standardwebhooks';
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const event = webhook.verify(body, headers);`;

type SecretProps = { secret: string | null | undefined; onClose: () => void };

/** The only time that a secret is shown. */
export const SecretDialog = ({ secret, onClose }: SecretProps) => {
  const t = useWords();
  const w = useWebhookWords();
  const copy = async () => {
    await navigator.clipboard.writeText(secret ?? '');
    say(w.copied);
  };
  return (
    <Dialog
      title={secret ? w.secretTitle : w.secret}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} label={t.common.close} />
          {secret && <Button kind="primary" icon="file" onClick={() => void copy()} label={w.copy} />}
        </>
      }
    >
      {secret ? (
        <>
          <div class={css.secret}>
            <TextField
              label={w.secret}
              readOnly
              value={secret}
              onValue={() => {}}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          </div>
          <p>{w.secretWords}</p>
          <pre class={css.code}>{receiverLines}</pre>
        </>
      ) : (
        <p>{w.noSecret}</p>
      )}
    </Dialog>
  );
};

/** As a field for a time has it, by the clock of the service. */
const fieldTime = (instant: number) =>
  new Date(instant).toLocaleString('sv', { timeZone: settings.timeZone }).slice(0, 16).replace(' ', 'T');
const timestampOf = (field: string) => `${field.replace('T', ' ')}:00`;

/** Sends the events of a stretch of time again. */
export const SendAgainDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const t = useWords();
  const w = useWebhookWords();
  const [from, setFrom] = useState(fieldTime(Date.now() - dayMs));
  const [to, setTo] = useState(fieldTime(Date.now()));
  const dialog = useDialog({
    change: () => sendTo(id, { from: timestampOf(from), to: timestampOf(to) }),
    said: () => w.sentAgain,
    refreshes: ['deliveries', 'webhooks'],
    shown: [],
    onClose,
  });
  const clock = t.today.clock(settings.timeZone);
  return (
    <FormDialog
      title={w.againTitle}
      action={w.again}
      disabled={from === '' || to === '' || from >= to}
      {...dialog.form}
    >
      <p>{w.againWords}</p>
      <TextField label={w.from} type="datetime-local" value={from} hint={clock} onValue={setFrom} />
      <TextField label={w.to} type="datetime-local" value={to} onValue={setTo} />
    </FormDialog>
  );
};
