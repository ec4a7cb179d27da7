import { invalid } from '../../platform/rules/errors.ts';
import { dayMs, type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';
import { type DisabledReason, type Progress, resumed } from './progress.ts';
import { type EventFilter, type EventType, eventTypes } from './service-event.ts';

export const mostWebhooks = 20;

/** `since`: when the secret was made. */
export type Secret = { text: string; since: Instant };

export type Webhook = {
  id: string;
  url: string;
  /** Absent: all types, including those of later releases. */
  types?: readonly EventType[] | undefined;
  /** Empty: events of all tasks, and events without a task. */
  taskIds: readonly string[];
  expandCall: boolean;
  description: string;
  enabled: boolean;
  /** Newest first. */
  secrets: readonly Secret[];
  createTime: Instant;
  /** When it was last switched on, or got another address. Earlier failures do not count. */
  resumeTime: Instant;
  /** Absent unless the service switched it off, and no operator has switched it since. */
  disabledReason?: DisabledReason | undefined;
};

export type WebhookSettings = Pick<Webhook, 'url' | 'types' | 'taskIds' | 'expandCall' | 'description'>;

export type WebhookChanges = Partial<WebhookSettings & Pick<Webhook, 'enabled'>> & {
  /** A new secret, if one was asked for. */
  secret?: string | undefined;
};

/** How long the previous secret still signs. */
const secretOverlapMs = dayMs;
const keptSecrets = 2;

export const createWebhook = (
  settings: WebhookSettings,
  id: string,
  secret: string,
  now: Instant,
): Webhook => ({
  ...settings,
  id,
  enabled: true,
  secrets: [{ text: secret, since: now }],
  createTime: now,
  resumeTime: now,
});

export const changeWebhook = (
  webhook: Webhook,
  { secret, ...changes }: WebhookChanges,
  now: Instant,
): Webhook => {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const changed: Webhook = { ...webhook, ...given };
  const isResumed = changed.enabled && (!webhook.enabled || changed.url !== webhook.url);
  return {
    ...changed,
    ...(secret !== undefined && {
      secrets: [{ text: secret, since: now }, ...webhook.secrets].slice(0, keptSecrets),
    }),
    ...(isResumed && { resumeTime: now }),
    ...(changes.enabled !== undefined && { disabledReason: undefined }),
  };
};

export const disableWebhook = (webhook: Webhook, reason: DisabledReason): Webhook => ({
  ...webhook,
  enabled: false,
  disabledReason: reason,
});

/** The secrets that sign now. */
export const signingSecrets = ({ secrets }: Webhook, now: Instant): string[] => {
  const [newest, ...older] = secrets;
  const alsoSigns = newest !== undefined && now < newest.since + secretOverlapMs;
  return [newest, ...(alsoSigns ? older : [])].flatMap((secret) => secret?.text ?? []);
};

/** The events that a webhook gets. */
export const filterOf =
  ({ types, taskIds }: Pick<Webhook, 'types' | 'taskIds'>): EventFilter =>
  ({ type, data }) =>
    (types === undefined || types.includes(type)) &&
    (taskIds.length === 0 || taskIds.includes(String(data.taskId ?? '')));

/** `waitingCount`: events that were not delivered yet. The secrets are not shown. */
export const webhookView = (webhook: Webhook, stored: Progress, waitingCount: number, format: FormatTime) => {
  const { id, url, taskIds, expandCall, description, enabled, disabledReason = null } = webhook;
  const { failingSince, lastDeliveryTime, failedCount } = resumed(stored, webhook.resumeTime);
  const whileEnabled = failingSince === null ? 'ok' : 'failing';
  const state: 'ok' | 'failing' | 'disabled' = enabled ? whileEnabled : 'disabled';
  return {
    id,
    url,
    types: [...(webhook.types ?? eventTypes)],
    taskIds: [...taskIds],
    expandCall,
    description,
    enabled,
    state,
    disabledReason,
    lastDeliveryTime: formatOrNull(lastDeliveryTime, format),
    failedCount,
    waitingCount,
  };
};

/**
 * Receivers are often recognised by a secret in the query of their address. It is not shown to
 * callers who may not change the webhook.
 */
export const webhookViewForReaders: typeof webhookView = (webhook, ...rest) => {
  const { origin, pathname } = new URL(webhook.url);
  return webhookView({ ...webhook, url: `${origin}${pathname}` }, ...rest);
};

/** What a client wants to send again. */
export type SendWish =
  | { kind: 'test' }
  | { kind: 'events'; ids: readonly string[] }
  | { kind: 'stretch'; from: Instant; to: Instant };

type Input = {
  test?: boolean | undefined;
  eventIds?: readonly string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** @throws ServiceError invalid unless exactly one thing is asked for */
export const wishOf = (
  { test, eventIds, from, to }: Input,
  parseTime: (text: string) => Instant | undefined,
): SendWish => {
  const isStretch = from !== undefined || to !== undefined;
  const wishes = [test === true, eventIds !== undefined, isStretch].filter(Boolean).length;
  if (wishes !== 1) throw invalid('body', 'must have one of "test": true, "eventIds", or "from" and "to"');
  if (eventIds !== undefined) return { kind: 'events', ids: eventIds };
  if (!isStretch) return { kind: 'test' };
  const timeOf = (field: 'from' | 'to', text: string | undefined) => {
    if (text === undefined) throw invalid(field, 'is required', 'REQUIRED');
    const time = parseTime(text);
    if (time === undefined) throw invalid(field, `${text} is not a date and time`);
    return time;
  };
  const stretch = { from: timeOf('from', from), to: timeOf('to', to) };
  if (stretch.from >= stretch.to) throw invalid('to', 'must be after "from"');
  return { kind: 'stretch', ...stretch };
};
