import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { dial } from './dialer.mjs';
import { renewing } from './token.mjs';

const usage = `Environment variables, with their defaults:
  PLATFORM PLATFORM_KEY  vapi or retell, and the key of its API; PLATFORM_URL: another address of it
  ASSISTANT              for tasks without "assistant" in callSettings
  PHONE_NUMBER_ID        vapi: calls come from it, unless callSettings have a "phoneNumberId"
  CALLER_NUMBER          retell: for tasks without callerNumbers
  WEBHOOK_SECRET         the platform sends webhooks to https://<this machine>/<WEBHOOK_SECRET>
  PORT                   where they arrive, behind a proxy that has the certificate (8080)
  ASK_SECONDS LINES      how often the platform is asked while no webhook comes (30), calls at the same time (10)
  BASE_URL TOKEN         of the service (http://127.0.0.1:3000, local-dev-token)
  TOKEN_URL CLIENT_ID CLIENT_SECRET  instead of TOKEN: gets and renews tokens there`;

const { env } = process;
const say = (text) => void process.stdout.write(`${new Date().toISOString()} ${text}\n`);

/** How a platform starts a call, which call a webhook is about, and what the platform tells about a call. */
const platforms = {
  vapi: {
    url: 'https://api.vapi.ai',
    paths: ['call', 'call'],
    start: ({ phoneNumber, fields }, assistantId, { phoneNumberId = env.PHONE_NUMBER_ID }) => ({
      ...{ assistantId, phoneNumberId, customer: { number: phoneNumber } },
      assistantOverrides: { variableValues: fields },
    }),
    idIn: ({ id, message }) => id ?? message?.call?.id,
    read: ({ status, endedReason, startedAt, endedAt, analysis, artifact }) => ({
      hasEnded: status === 'ended',
      cause: endedReason,
      talkMs: Date.parse(endedAt) - Date.parse(startedAt),
      recordingUrl: artifact?.recordingUrl,
      summary: analysis?.summary,
      data: analysis?.structuredData,
    }),
  },
  retell: {
    url: 'https://api.retellai.com',
    paths: ['v2/create-phone-call', 'v2/get-call'],
    start: ({ phoneNumber, callerNumber, fields }, assistant) => ({
      ...{ from_number: callerNumber ?? env.CALLER_NUMBER, to_number: phoneNumber },
      ...{ override_agent_id: assistant, retell_llm_dynamic_variables: fields },
    }),
    idIn: ({ call_id: id, call }) => id ?? call?.call_id,
    read: ({ call_status: status, call_analysis: analysis, ...call }) => ({
      hasEnded: ['ended', 'error', 'not_connected'].includes(status),
      cause: call.disconnection_reason,
      talkMs: call.end_timestamp - call.start_timestamp,
      recordingUrl: call.recording_url,
      summary: analysis?.call_summary,
      data: analysis?.custom_analysis_data,
    }),
  },
};
const { url, paths, start, idIn, read } = platforms[env.PLATFORM] ?? {};
if (!url || !env.PLATFORM_KEY || !env.WEBHOOK_SECRET) {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}

/** The first that fits what the platform writes counts. Any other call with talk time was answered. */
const causes = [
  [/voicemail|machine/, 'noAnswer', 'voicemail'],
  [/busy/, 'noAnswer', 'busy'],
  [/(no|not).?answer/, 'noAnswer', 'noAnswer'],
  [/declined|reject/, 'failed', 'rejected'],
  [/invalid/, 'failed', 'invalidNumber'],
];
const resultOf = ({ cause = '', talkMs }) => {
  const [, outcome, reason] = causes.find(([form]) => form.test(cause)) ?? [];
  if (outcome) return { outcome, reason, duration: 0 };
  if (talkMs > 0) return { outcome: 'success', duration: talkMs / 1000 };
  return { outcome: 'failed', reason: 'networkError', duration: 0 };
};

/** What the platform found out, within the limits of the service. `codes`: the dispositions that the task declares. */
const learned = ({ recordingUrl, summary, data }, codes = '') => {
  const values = Object.entries(data ?? {}).filter(
    ([name, value]) => /^.{1,64}$/.test(name) && typeof value !== 'object',
  );
  while (values.length > 30 || Buffer.byteLength(JSON.stringify(values)) > 4000) values.pop();
  const disposition = codes.split(/\s*,\s*/).find((code) => code !== '' && code === data?.disposition);
  return {
    ...(/^https:.{1,990}$/.test(recordingUrl) && { recordingUrl }),
    ...(summary && { summary: summary.slice(0, 2000) }),
    ...(values.length > 0 && { data: Object.fromEntries(values) }),
    ...(disposition && { disposition }),
  };
};

const baseUrl = env.BASE_URL ?? 'http://127.0.0.1:3000';
const { TOKEN: token = 'local-dev-token', TOKEN_URL: tokenUrl, CLIENT_ID: clientId } = env;
const credentials = tokenUrl && { tokenUrl, clientId, clientSecret: env.CLIENT_SECRET };
const tokenNow = credentials ? renewing(credentials) : () => token;
const send = (address, key, body) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  return fetch(address, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) });
};
const askPlatform = (path, body) => send(`${env.PLATFORM_URL ?? url}/${path}`, env.PLATFORM_KEY, body);

// A webhook only says that there is news of a call. The platform is then asked for the news. So a false webhook does no harm,
// and a webhook that never comes is made up for by asking from time to time.
const news = new Map();
const untilReport = async (id, minutes, isEnough = () => true) => {
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; ) {
    const timer = new AbortController();
    news.set(id, () => timer.abort());
    await sleep(Number(env.ASK_SECONDS ?? 30) * 1000, undefined, timer).catch(() => {});
    const response = await askPlatform(`${paths[1]}/${encodeURIComponent(id)}`).catch(() => undefined);
    const report = response?.ok ? read(await response.json()) : {};
    if (report.hasEnded && (await isEnough(report))) return report;
  }
};

/** Answers nothing if the call was not started. `dial` extends the lease meanwhile. */
const placeCall = async ({ callId, ...call }, { callSettings = {} } = {}) => {
  const { assistant = env.ASSISTANT, dispositions } = callSettings;
  const startTime = new Date();
  const response = await askPlatform(paths[0], start(call, assistant, callSettings));
  if (!response.ok) return say(`${callId} not started: ${response.status} ${await response.text()}`);
  const id = idIn(await response.json());
  const report = (await untilReport(id, 120)) ?? {};
  const [result, found] = [resultOf(report), learned(report, dispositions)];
  // The analysis may take minutes. It can be added once the result is counted.
  const annotate = async (later) => {
    const body = { callId, ...learned(later, dispositions) };
    return body.summary && (await send(`${baseUrl}/api/dialer/annotate`, await tokenNow(), body)).ok;
  };
  const isLate = result.outcome === 'success' && !found.summary;
  const analysed = isLate ? untilReport(id, 15, annotate) : Promise.resolve();
  analysed.catch((error) => say(`${callId}: ${error.message}`)).finally(() => news.delete(id));
  return { startTime, providerCallId: id, ...result, ...found };
};

const receive = async (request, response) => {
  const isOurs = request.method === 'POST' && request.url === `/${env.WEBHOOK_SECRET}`;
  const told = isOurs && (await json(request).catch(() => undefined));
  response.writeHead(isOurs ? 204 : 404).end();
  news.get(idIn(Object(told)))?.();
};
createServer(receive)
  .listen(env.PORT ?? 8080)
  .unref();
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
await dial({ baseUrl, token, credentials, lines: Number(env.LINES ?? 10), signal: stop.signal, placeCall });
