import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Webhook } from '../../../../client/client.ts';
import { eventTypes } from '../../../../shared/events/rules/service-event.ts';
import { numberText, useWords } from '../../i18n/i18n.ts';
import { useWebhookWords, type WebhookWords } from '../../i18n/webhook-words.ts';
import { SettingsTabs } from '../../parts/service/settings-tabs.tsx';
import { webhookPath, webhooksQuery } from '../../parts/webhooks/queries.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Moment, Sub } from '../../ui/figures/figures.tsx';
import { useAddress } from '../../ui/lists/list.tsx';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { AgedNote, Awaited, Empty, Page } from '../../ui/page/page.tsx';
import { SecretDialog, type Shown, WebhookDialog } from './webhook-dialogs.tsx';
import { StateChip, WebhookPanel } from './webhook-panel.tsx';

const typesText = ({ types }: Pick<Webhook, 'types'>, w: WebhookWords): string => {
  if (types.length === eventTypes.length) return w.allTypes;
  return types.length === 1 ? w.type[types[0]!] : w.manyTypes(types.length);
};

const columnsOf = (openId: string, w: WebhookWords): Column<Webhook>[] => [
  {
    title: w.url,
    class: 'main-cell',
    cell: ({ id, url, description }) => (
      <>
        <Link
          href={webhookPath(id)}
          class="strong"
          data-webhook={id}
          aria-current={id === openId ? 'true' : undefined}
        >
          <bdi>{url}</bdi>
        </Link>
        <Sub text={description} />
      </>
    ),
  },
  { title: w.types, class: 'nowrap', cell: (webhook) => typesText(webhook, w) },
  { title: w.state.title, cell: (webhook) => <StateChip webhook={webhook} /> },
  { title: w.lastDelivery, cell: ({ lastDeliveryTime }) => <Moment time={lastDeliveryTime} /> },
  { title: w.waiting, class: 'number', cell: ({ waitingCount }) => numberText(waitingCount) },
  {
    title: w.failed,
    class: 'number',
    cell: ({ failedCount }) => numberText(failedCount),
  },
];

/** The addresses that events are sent to. A webhook opens beside the list, with its deliveries. */
export const WebhooksScreen = () => {
  const t = useWords();
  const w = useWebhookWords();
  const address = useAddress();
  const webhooks = useQuery(webhooksQuery);
  const [isAdding, add] = useState(false);
  const [secret, showSecret] = useState<Shown>();
  const openId = address.text('webhook');
  const open = webhooks.data?.find(({ id }) => id === openId);
  const close = () => {
    address.change({ webhook: undefined });
    document.querySelector<HTMLElement>(`[data-webhook="${CSS.escape(openId)}"]`)?.focus();
  };
  const adding = <Button kind="primary" icon="plus" onClick={() => add(true)} label={w.add} />;
  const isEmpty = webhooks.data?.length === 0;
  return (
    <Page title={t.settings} actions={!isEmpty && adding}>
      <SettingsTabs current="webhooks" />
      <p class="faint">{w.words}</p>
      <AgedNote query={webhooks} />
      <Awaited query={webhooks} />
      {isEmpty && (
        <Empty icon="bell" words={w.empty}>
          {adding}
        </Empty>
      )}
      {webhooks.data && !isEmpty && (
        <div class="table-scroll">
          <Table rows={webhooks.data} idOf={({ id }) => id} cards columns={columnsOf(openId, w)} />
        </div>
      )}
      {open && <WebhookPanel key={openId} webhook={open} onClose={close} onSecret={showSecret} />}
      {isAdding && (
        <WebhookDialog
          onClose={() => add(false)}
          onSaved={(saved) => {
            address.change({ webhook: saved.id });
            showSecret(saved);
          }}
        />
      )}
      {secret && <SecretDialog secret={secret.secret} onClose={() => showSecret(undefined)} />}
    </Page>
  );
};
