import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DeliveryAttempt, Webhook } from '../../../../client/client.ts';
import { useRefresh } from '../../api/client.ts';
import { troubleWords } from '../../api/errors.ts';
import { type Dictionary, instantOf, listText, numberText, secondsText, useWords } from '../../i18n/i18n.ts';
import { useWebhookWords, type WebhookWords } from '../../i18n/webhook-words.ts';
import { overviewsQuery } from '../../parts/tasks/queries.ts';
import { Button, IconButton, Refused } from '../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../ui/actions/dialog.tsx';
import { Menu } from '../../ui/actions/menu.tsx';
import { Toggle } from '../../ui/fields/field.tsx';
import { Chip, Facts, Moment, Sub } from '../../ui/figures/figures.tsx';
import beside from '../../ui/lists/beside.module.css';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { Awaited, Card, say } from '../../ui/page/page.tsx';
import {
  changeWebhook,
  deleteWebhook,
  deliveriesQuery,
  SendAgainDialog,
  type Shown,
  sendTo,
  WebhookDialog,
} from './webhook-dialogs.tsx';
import css from './webhooks-screen.module.css';

const looks = { ok: 'done', failing: 'trouble', disabled: 'still' } as const;

export const StateChip = ({ webhook: { state } }: { webhook: Webhook }) => (
  <Chip look={looks[state]} data-state={state}>
    {useWebhookWords().state[state]}
  </Chip>
);

const answerText = ({ status, httpStatus, failure }: DeliveryAttempt, w: WebhookWords): string => {
  if (failure !== null) return w.failure[failure];
  return status === 'success' ? w.arrived(httpStatus ?? 0) : w.refused(httpStatus ?? 0);
};

const attemptText = ({ attempt, nextAttemptTime, milliseconds }: DeliveryAttempt, w: WebhookWords): string =>
  [
    w.milliseconds(milliseconds),
    ...(attempt > 1 ? [w.attempt(attempt)] : []),
    ...(nextAttemptTime === null ? [] : [w.next(secondsText(instantOf(nextAttemptTime)))]),
  ].join(' · ');

const typeText = (type: string, w: WebhookWords) => (w.type as Record<string, string>)[type] ?? type;

/** A change or a wish that is sent at once: its button shows that it is at work, and a refusal is said below. */
const useSend = () => {
  const t = useWords();
  const refresh = useRefresh(['webhooks', 'deliveries']);
  const sending = useMutation({
    mutationFn: ({ send }: { send: () => Promise<unknown>; said: string }) => send(),
    onSettled: refresh,
    onSuccess: (_, { said }) => say(said),
  });
  return {
    isPending: sending.isPending,
    refused: sending.error ? troubleWords(sending.error, t) : undefined,
    send: (send: () => Promise<unknown>, said: string) => sending.mutate({ send, said }),
  };
};
type Sending = ReturnType<typeof useSend>;
type SendAgain = (eventId: string) => void;

const deliveryColumns = (t: Dictionary, w: WebhookWords, sendAgain: SendAgain | undefined) =>
  [
    { title: t.imports.time, cell: ({ time }) => <Moment time={time} /> },
    {
      title: w.event,
      cell: ({ type, eventId }) => (
        <span title={eventId}>
          <bdi>{typeText(type, w)}</bdi>
        </span>
      ),
    },
    {
      title: w.result,
      cell: (delivery) => (
        <>
          <Chip look={delivery.status === 'success' ? 'done' : 'trouble'}>{answerText(delivery, w)}</Chip>
          <Sub text={attemptText(delivery, w)} />
        </>
      ),
    },
    sendAgain !== undefined && {
      title: '',
      cell: ({ type, eventId }) =>
        type !== 'webhook.test' && (
          <IconButton icon="upload" label={w.again} onClick={() => sendAgain(eventId)} />
        ),
    },
  ] satisfies (Column<DeliveryAttempt> | false)[];

const Deliveries = ({ webhook: { id, enabled }, sending }: { webhook: Webhook; sending: Sending }) => {
  const t = useWords();
  const w = useWebhookWords();
  const [shown, show] = useState<'all' | 'failed'>('all');
  const [pageToken, toPage] = useState('');
  const filter = { status: shown === 'failed' ? shown : undefined, pageToken };
  const deliveries = useQuery(deliveriesQuery(id, filter));
  const rows = deliveries.data?.rows ?? [];
  const older = deliveries.data?.nextPageToken;
  const sendAgain = (eventId: string) => sending.send(() => sendTo(id, { eventIds: [eventId] }), w.sentAgain);
  return (
    <>
      <div class={`${css.deliveriesTitle} row wrap`}>
        <h3 class="grow">{w.deliveries}</h3>
        <Toggle
          label={w.deliveries}
          value={shown}
          options={[
            { value: 'all', label: t.tasks.all },
            { value: 'failed', label: w.onlyFailed },
          ]}
          onValue={(next) => {
            show(next);
            toPage('');
          }}
        />
      </div>
      <div class={css.deliveries}>
        <Awaited query={deliveries} />
        {deliveries.data && rows.length === 0 && (
          <p class="faint">{shown === 'failed' ? w.noFailed : w.noDeliveries}</p>
        )}
        {rows.length > 0 && (
          <div class="table-scroll">
            <Table
              rows={rows}
              idOf={({ eventId, time, attempt }) => `${eventId} ${time} ${attempt}`}
              columns={deliveryColumns(t, w, enabled ? sendAgain : undefined)}
            />
          </div>
        )}
      </div>
      <div class="row">
        {pageToken !== '' && <Button kind="quiet" onClick={() => toPage('')} label={t.tasks.all} />}
        {older && <Button kind="quiet" onClick={() => toPage(older)} label={w.older} />}
      </div>
    </>
  );
};

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => {
  const t = useWords();
  const w = useWebhookWords();
  const { types, taskIds, lastDeliveryTime, waitingCount, failedCount } = webhook;
  const tasks = useQuery({ ...overviewsQuery(taskIds), enabled: taskIds.length > 0, refetchInterval: false });
  const names = taskIds.map((id) => tasks.data?.get(id)?.taskName ?? id);
  return (
    <Facts
      facts={[
        [w.types, listText(types.map((type) => w.type[type]))],
        [t.tasks.title, names.length === 0 ? t.today.allTasks : listText(names)],
        [w.lastDelivery, <Moment key="time" time={lastDeliveryTime} />],
        [w.waiting, numberText(waitingCount)],
        [
          w.failed,
          <>
            {numberText(failedCount)}
            {failedCount > 0 && <Sub text={w.failedHint} />}
          </>,
        ],
      ]}
    />
  );
};

type Props = { webhook: Webhook; onClose: () => void; onSecret: (shown: Shown) => void };

/** One webhook, beside the list: its settings, what was sent to it, and what can be done. */
export const WebhookPanel = ({ webhook, onClose, onSecret }: Props) => {
  const t = useWords();
  const w = useWebhookWords();
  const { id, enabled } = webhook;
  const [dialog, open] = useState<'edit' | 'secret' | 'again' | 'delete'>();
  const sending = useSend();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector('button')?.focus(), [id]);
  const close = () => open(undefined);
  const turn = () =>
    sending.send(() => changeWebhook(id, { enabled: !enabled }), enabled ? w.turnedOff : w.turnedOn);
  return (
    <aside
      ref={panel}
      class={beside.panel}
      aria-label={w.one}
      onKeyDown={({ key }) => key === 'Escape' && dialog === undefined && onClose()}
    >
      <Card title={w.one} tools={<IconButton icon="cross" label={t.common.close} onClick={onClose} />}>
        <p>
          <bdi>{webhook.url}</bdi>
        </p>
        <p class={css.state}>
          <StateChip webhook={webhook} />
        </p>
        {webhook.disabledReason && <p class="banner warning">{w.why[webhook.disabledReason]}</p>}
        <div class="row wrap">
          {enabled && (
            <Button
              icon="bell"
              busy={sending.isPending}
              onClick={() => sending.send(() => sendTo(id, { test: true }), w.tested)}
              label={w.test}
            />
          )}
          <Button
            kind={enabled ? 'plain' : 'primary'}
            icon={enabled ? 'pause' : 'play'}
            busy={sending.isPending}
            onClick={turn}
            label={enabled ? w.turnOff : w.turnOn}
          />
          <Menu
            label={t.common.more}
            items={[
              { label: t.common.edit, icon: 'pen', onChoose: () => open('edit') },
              enabled && { label: w.againTitle, icon: 'upload', onChoose: () => open('again') },
              { label: w.newSecret, icon: 'file', onChoose: () => open('secret') },
              { label: t.common.delete, icon: 'bin', danger: true, onChoose: () => open('delete') },
            ]}
          />
        </div>
        <Refused words={sending.refused} />
        <WebhookFacts webhook={webhook} />
        <Deliveries webhook={webhook} sending={sending} />
      </Card>
      {dialog === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'secret' && (
        <ConfirmDialog
          title={w.newSecret}
          action={w.newSecret}
          words={w.newSecretWords}
          change={() => changeWebhook(id, { newSecret: true })}
          onDone={onSecret}
          onClose={close}
        />
      )}
      {dialog === 'again' && <SendAgainDialog id={id} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={w.deleteTitle(webhook.url)}
          action={t.common.delete}
          kind="danger"
          words={w.deleteWords}
          change={() => deleteWebhook(id)}
          said={() => w.deleted}
          onDone={onClose}
          refreshes={['webhooks']}
          onClose={close}
        />
      )}
    </aside>
  );
};
