import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { type Api, succeeded } from './api.ts';
import { openReceiver } from './receiver.ts';

export type Received = {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
  headers: Record<string, string>;
  body: string;
};

type Reply = { status: number; headers?: Record<string, string> };

/** A receiver that notes what it gets and answers as it is told. It ends with the test. */
export const aReceiver = async () => {
  const received: Received[] = [];
  let reply = (_event: Received): Reply => ({ status: 200 });
  const { url, close } = await openReceiver(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = request.headers as Record<string, string>;
    const event = { ...JSON.parse(body), id: String(headers['webhook-id']), headers, body } as Received;
    received.push(event);
    const { status, headers: answered } = reply(event);
    response.writeHead(status, answered).end();
  });
  onTestFinished(close);
  return {
    url,
    close,
    received,
    answer: (to: typeof reply) => {
      reply = to;
    },
    /** @throws unless that secret has signed it */
    verify: ({ body, headers }: Received, secret: string) => new Webhook(secret).verify(body, headers),
  };
};

export const addWebhook = async (api: Api, settings: object) =>
  succeeded(await api.post('/api/webhook/add', settings)) as unknown as { id: string; secret: string };

export type WebhookRow = Record<string, unknown> & { id: string; state: string; waitingCount: number };

export const webhookRow = async (api: Api, id: string): Promise<WebhookRow> => {
  const { rows } = succeeded(await api.get('/api/webhook/list')) as unknown as { rows: WebhookRow[] };
  return rows.find((row) => row.id === id)!;
};

export type AttemptRow = Record<string, unknown> & { eventId: string; attempt: number; status: string };

export const attemptsOf = async (api: Api, id: string, query: Record<string, string> = {}) =>
  succeeded(await api.get(`/api/webhook/${id}/deliveries`, query)) as unknown as {
    rows: AttemptRow[];
    nextPageToken: string | null;
  };

/** Waits without a limit of its own: the test has one. */
export const eventually = async <T>(
  read: () => Promise<T> | T,
  isEnough: (value: T) => boolean,
): Promise<T> => {
  for (;;) {
    const value = await read();
    if (isEnough(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
