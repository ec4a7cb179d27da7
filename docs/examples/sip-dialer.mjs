// Calls through a SIP trunk with baresip and plays an audio file to the people it reaches. Each call has a baresip of its
// own, which knows one caller number and one call. If one breaks down, the other calls go on.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dial } from './dialer.mjs';

const usage = `Environment variables, with their defaults:
  SIP_TRUNK              host or host:port of the trunk; with ;transport=tcp for TCP
  SIP_USER SIP_PASSWORD  the account at the trunk, unless the trunk knows this machine by its address
  CALLER_NUMBER          for tasks without callerNumbers (SIP_USER)
  MESSAGES               folder of the audio files: WAV, 16 bit, mono, 8000 Hz (the current folder)
  MESSAGE                file for tasks without "message" in callSettings (message.wav)
  RING_SECONDS           how long a phone rings (45)
  LINES                  calls at the same time (10)
  SIP_ADDRESS            address of this machine to call from (0.0.0.0: any)
  BARESIP_MODULES        folder of baresip's modules (/usr/lib/baresip/modules)
  BASE_URL               of the service (http://127.0.0.1:3000)
  TOKEN                  access token (local-dev-token)
  TOKEN_URL CLIENT_ID CLIENT_SECRET  instead of TOKEN: gets and renews tokens there`;

const { env } = process;
const { SIP_TRUNK: trunk, SIP_USER: user, SIP_PASSWORD: password = '' } = env;
const stop = new AbortController();
let signals = 0;
const say = (text) => process.stdout.write(`${new Date().toISOString()} ${text}\n`);
const refuse = (text) => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};

const failed = (reason) => ({ outcome: 'failed', reason, duration: 0 });
const noAnswer = (reason) => ({ outcome: 'noAnswer', reason, duration: 0 });
const resultsWithCodes = [
  [failed('invalidNumber'), 404, 484, 604],
  [noAnswer('noAnswer'), 408, 487],
  [failed('outOfService'), 410],
  [noAnswer('poweredOff'), 480],
  [noAnswer('busy'), 486, 600],
  [failed('rejected'), 603],
];

/** @param code of the SIP answer; NaN if the trunk did not answer */
const resultOf = (code, hasRung) => {
  if (Number.isNaN(code) || Math.floor(code / 100) === 5) return failed('networkError');
  // A phone that rang is not switched off.
  if (code === 480 && hasRung) return noAnswer('unreachable');
  if (code === 401 || code === 407) {
    // Every other call would fail too.
    stop.abort();
    process.exitCode = 1;
    throw new Error('the trunk refuses SIP_USER and SIP_PASSWORD');
  }
  return resultsWithCodes.find(([, ...codes]) => codes.includes(code))?.[0] ?? failed('other');
};

/** @throws Error for a file that baresip would not play */
const readMessage = async (name) => {
  if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`"${name}" is not the name of a file`);
  const path = resolve(env.MESSAGES ?? '.', name);
  const wav = await readFile(path);
  // Coding (1 is PCM), channels, samples a second and bits a sample.
  const format = wav.length < 44 ? [] : [20, 22, 24, 34].map((at) => wav.readUInt16LE(at));
  if (`${format}` !== '1,1,8000,16') throw new Error(`${path} is not a WAV file of 16 bit, mono, 8000 Hz`);
  return { path, seconds: (wav.length - 44) / 16_000 };
};

const config = (controlPort) => `sip_listen ${env.SIP_ADDRESS ?? '0.0.0.0'}:0
net_interface ${env.SIP_ADDRESS ?? ''}
call_max_calls 1
module_path ${env.BARESIP_MODULES ?? '/usr/lib/baresip/modules'}
${['g711', 'aufile', 'aubridge', 'account', 'menu', 'ctrl_tcp'].map((name) => `module ${name}.so`).join('\n')}
ctrl_tcp_listen 127.0.0.1:${controlPort}
audio_player aubridge,unheard
`;

const login = user === undefined ? '' : `;auth_user=${user};auth_pass=${password}`;
/** Silent until the call is answered: many trunks open the audio while the phone still rings. */
const account = (callerNumber) =>
  `<sip:${callerNumber}@${trunk}>;regint=0;audio_source=aubridge,silence${login}\n`;

// baresip ends when its standard input is closed: also when this program was killed, or the phone would go on ringing.
const untilInputEnds = 'exec 3<&0; baresip -f "$0" & pid=$!; { read -r _ <&3; kill $pid; } & wait $pid';

/** Starts a baresip and connects to its control port, a free one. Then baresip has read its files. */
const startBaresip = async (callerNumber) => {
  const folder = await mkdtemp(join(tmpdir(), 'sip-dialer-'));
  try {
    // A connection that has just ended keeps the port: for a minute only a program that asks for it by number gets it.
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    await once(connect(port, '127.0.0.1').resume(), 'close');
    server.close();
    await writeFile(join(folder, 'config'), config(port));
    await writeFile(join(folder, 'accounts'), account(callerNumber));
    // Detached: a Ctrl-C in the terminal must not end the calls.
    const options = { stdio: ['pipe', 'ignore', 'ignore'], detached: true };
    const baresip = spawn('sh', ['-c', untilInputEnds, folder], options);
    for (let tries = 0; tries < 200 && baresip.exitCode === null; tries++) {
      const control = connect(port, '127.0.0.1');
      if (await once(control, 'connect').catch(() => false)) return { baresip, control };
      await sleep(50);
    }
    baresip.stdin.end();
    throw new Error('baresip does not start');
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The control port speaks JSON in netstrings: `2:{},`. */
async function* messagesOf(control) {
  let rest = Buffer.alloc(0);
  for await (const chunk of control) {
    rest = Buffer.concat([rest, chunk]);
    for (let colon = rest.indexOf(':'); colon > 0; colon = rest.indexOf(':')) {
      const end = colon + 1 + Number(rest.subarray(0, colon));
      if (rest.length <= end) break;
      yield JSON.parse(rest.subarray(colon + 1, end));
      rest = rest.subarray(end + 1);
    }
  }
}

const controls = new Set();
/** Calls and plays the message. Answers nothing if a second signal has cut a call that was not answered. */
const call = async ({ baresip, control }, phoneNumber, message, record) => {
  // What was sent to baresip, and what it reported.
  const seen = new Set();
  let answerTime, timer, words;
  const send = (command, params = '') => {
    seen.add(command);
    const text = JSON.stringify({ command, params });
    control.write(`${Buffer.byteLength(text)}:${text},`);
  };
  const hangUpAfter = (seconds) => {
    clearTimeout(timer);
    timer = setTimeout(send, seconds * 1000, 'hangup');
  };
  controls.add(control);
  try {
    if (signals > 1) control.destroy();
    else send('dial', `sip:${phoneNumber}@${trunk}`);
    hangUpAfter(Number(env.RING_SECONDS ?? 45));
    for await (const { type, param, id } of messagesOf(control)) {
      seen.add(type);
      if (id) record.providerCallId = id;
      if (type === 'CALL_ESTABLISHED') {
        answerTime = performance.now();
        send('ausrc', `aufile,${message.path}`);
        // baresip hangs up at the end of the file. The timer is for a file that it cannot play.
        hangUpAfter(message.seconds + 3);
      }
      words = param;
      if (type === 'CALL_CLOSED') break;
    }
  } catch {
    // The connection to baresip is lost. The call may have begun, so it counts.
  }
  clearTimeout(timer);
  controls.delete(control.destroy());
  // baresip hangs up, and ends when the trunk has confirmed the end of the call.
  baresip.stdin.end();
  if (answerTime) return { outcome: 'success', duration: Math.round(performance.now() - answerTime) / 1000 };
  if (signals > 1) return undefined;
  // Without a sign of the phone the trunk is to blame: the person was not called.
  const hasRung = seen.has('CALL_RINGING');
  if (!seen.has('hangup')) return resultOf(Number.parseInt(words, 10), hasRung);
  return hasRung || seen.has('CALL_PROGRESS') ? noAnswer('noAnswer') : failed('networkError');
};

/** Answers nothing if the call was not made. */
const placeCall = async ({ callId, phoneNumber, callerNumber }, task) => {
  try {
    const message = await readMessage(task?.callSettings?.message ?? env.MESSAGE ?? 'message.wav');
    const caller = callerNumber ?? env.CALLER_NUMBER ?? user ?? 'anonymous';
    const line = await startBaresip(caller);
    const record = { startTime: new Date() };
    // The service takes only numbers. An account at the trunk may have another name.
    if (/^\+?\d{3,15}$/.test(caller)) record.callerNumber = caller;
    const result = await call(line, phoneNumber, message, record);
    if (result) say(`${callId} ${result.outcome} ${result.reason ?? `${result.duration} s`}`);
    return result && { ...record, ...result };
  } catch (error) {
    say(`${callId} not called: ${error.message}`);
    // If no call can be made, the contacts must not be leased and given back without a pause.
    await sleep(10_000, undefined, { signal: stop.signal }).catch(() => {});
  }
};

if (!trunk) refuse(usage);
if (/[;<>"\s]/.test(`${user}${password}`)) refuse('SIP_USER and SIP_PASSWORD cannot have ; < > " or blanks');
if (spawnSync('baresip', ['-h']).error) refuse('baresip is not installed (Debian: apt-get install baresip)');
// A second signal hangs up and gives the unanswered calls back. A third one waits for nothing.
const end = () => {
  stop.abort();
  if (++signals === 1) say('The calls finish. Another Ctrl-C hangs them up.');
  if (signals > 2) process.exit(1);
  if (signals > 1) for (const control of controls) control.destroy();
};
process.on('SIGINT', end).on('SIGTERM', end);
const { TOKEN_URL: tokenUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = env;
await dial({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:3000',
  token: env.TOKEN ?? 'local-dev-token',
  credentials: tokenUrl && { tokenUrl, clientId, clientSecret },
  lines: Number(env.LINES ?? 10),
  signal: stop.signal,
  placeCall,
}).catch((error) => refuse(error.message));
