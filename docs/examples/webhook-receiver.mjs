import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';

const maxBytes = 1_000_000;
/** Longer than the service tries to deliver an event. */
const keepIdsMs = 5 * 24 * 3600_000;

const read = async (request) => {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/**
 * Receives webhooks: verifies each delivery, answers at once, and hands each event to `handle` once. An event that is
 * answered counts as delivered, so a system that must not lose one stores it, with its id, before it answers.
 */
export function receive({ secret, handle }) {
  const webhook = new Webhook(secret);
  const seen = new Map();

  const isNew = (id) => {
    const now = Date.now();
    for (const [old, time] of seen) {
      if (now - time < keepIdsMs) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, now);
    return true;
  };

  return createServer(async (request, response) => {
    try {
      const event = webhook.verify(await read(request), request.headers);
      response.writeHead(204).end();
      const id = request.headers['webhook-id'];
      if (isNew(id)) await handle({ id, ...event });
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
      if (!response.headersSent) response.writeHead(400).end();
    }
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { WEBHOOK_SECRET: secret, PORT: port = '4000' } = process.env;
  const handle = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
  receive({ secret, handle }).listen(Number(port));
}
