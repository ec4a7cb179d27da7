import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** `SIP=required` fails the run where baresip or SIPp is missing. */
export const hasSipPrograms =
  spawnSync('baresip', ['-h']).error === undefined && spawnSync('sipp', ['-v']).error === undefined;

if (!hasSipPrograms) {
  const words = 'SIP tests left out: no baresip or no SIPp on this machine';
  if (process.env.SIP === 'required') throw new Error(words);
  console.log(words);
}

export const login = { user: 'outbound', password: 'correct-horse' };

/** The last three digits of a number say what becomes of a call to it. */
export const ending = {
  /** Rings until the caller gives up. */
  rings: '180',
  /** Rings, then 480. */
  ringsInVain: '181',
  /** Sends audio before it answers, then listens until the caller hangs up. */
  answers: '200',
  /** Answers and hangs up at once. */
  hangsUp: '201',
  /** Asks for user and password, then 486. */
  asksForPassword: '407',
} as const;

/** Answered with themselves. */
export const finalCodes = ['403', '404', '408', '410', '480', '484', '486', '500', '503', '600', '603'];

const answer = (words: string, { more = '', isNew = true } = {}) =>
  `<send><![CDATA[
SIP/2.0 ${words}
[last_Via:]
[last_From:]
[last_To:]${isNew ? ';tag=[pid]t[call_number]' : ''}
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:[local_ip]:[local_port]>
${more}Content-Length: 0

]]></send>`;

const answerWithAudio = (words: string, audioPort: number) =>
  answer(words).replace(
    'Content-Length: 0\n\n',
    `Content-Type: application/sdp
Content-Length: [len]

v=0
o=- 1 1 IN IP4 127.0.0.1
s=-
c=IN IP4 127.0.0.1
t=0 0
m=audio ${audioPort} RTP/AVP 0
a=rtpmap:0 PCMU/8000
`,
  );

const bye = `<send><![CDATA[
BYE [$contact] SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
From: [$to];tag=[pid]t[call_number]
To: [$from]
[last_Call-ID:]
CSeq: 1 BYE
Content-Length: 0

]]></send>`;

const challenge =
  'WWW-Authenticate: Digest algorithm=MD5, realm="trunk", nonce="47ebe028cda119c35d4877b383027d28"\n';
const receive = (request: string) => `<recv request="${request}"/>`;

const roads = (audioPort: number): Record<string, readonly string[]> => ({
  ...Object.fromEntries(finalCodes.map((code) => [code, [answer(`${code} Because`), receive('ACK')]])),
  [ending.rings]: [
    answer('180 Ringing'),
    receive('CANCEL'),
    answer('200 OK'),
    answer('487 Request Terminated').replace('[last_CSeq:]', 'CSeq: [$cseq] INVITE'),
    receive('ACK'),
  ],
  [ending.ringsInVain]: [answer('180 Ringing'), answer('480 Because'), receive('ACK')],
  [ending.answers]: [
    answerWithAudio('183 Session Progress', audioPort),
    '<pause milliseconds="600"/>',
    answerWithAudio('200 OK', audioPort),
    receive('ACK'),
    receive('BYE'),
    answer('200 OK', { isNew: false }),
  ],
  [ending.hangsUp]: [answerWithAudio('200 OK', audioPort), receive('ACK'), bye, '<recv response="200"/>'],
  [ending.asksForPassword]: [
    answer('401 Who Are You', { more: challenge }),
    receive('ACK'),
    `<recv request="INVITE"><action>
       <verifyauth assign_to="isKnown" username="${login.user}" password="${login.password}"/>
     </action></recv>
     <nop next="known" test="isKnown"/>`,
    answer('401 Who Are You', { more: challenge.replace('47e', '48e') }),
    '<recv request="ACK" next="end"/>',
    '<label id="known"/>',
    answer('486 Because'),
    receive('ACK'),
  ],
});

const header = (name: string, regexp: string, variables: string) =>
  `<ereg regexp="${regexp}" search_in="hdr" header="${name}:" assign_to="${variables}"/>`;

const scenario = (audioPort: number): string => {
  const all = Object.entries(roads(audioPort));
  const isEnding = ([ending]: [string, unknown]) =>
    `<strcmp assign_to="difference" variable="ending" value="${ending}"/>
     <test assign_to="is${ending}" variable="difference" compare="equal" value="0"/>`;
  return `<?xml version="1.0" encoding="ISO-8859-1"?>
<scenario name="trunk">
<recv request="INVITE"><action>
  ${header('To', 'sip:([0-9+]*([0-9]{3}))@', 'whole,called,ending')}
  ${header('From', 'sip:([^@]*)@', 'whole,caller')}
  ${header('CSeq', '([0-9]+)', 'whole,cseq')}
  ${header('Contact', '&lt;(.*)&gt;', 'whole,contact')}
  ${header('From', '.*', 'from')}
  ${header('To', '.*', 'to')}
  ${all.map(isEnding).join('\n')}
  <log message="[$called] from [$caller] [call_id]"/>
</action></recv>
${all.map(([ending]) => `<nop next="road${ending}" test="is${ending}"/>`).join('\n')}
${all.map(([ending, road]) => `<label id="road${ending}"/>\n${road.join('\n')}\n<nop next="end"/>`).join('\n')}
<label id="end"/>
<nop/>
<Reference variables="whole"/>
</scenario>`;
};

const boundSocket = async (): Promise<{ socket: Socket; port: number }> => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { socket, port: (socket.address() as AddressInfo).port };
};

/** A SIP trunk on loopback: SIPp, and a socket that hears the audio of its calls. */
export class SipTrunk {
  readonly #folder: string;
  readonly #heard = new Map<number, number>();
  #address = '';
  #sipp: ChildProcess | undefined;
  #audio: Socket | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get address(): string {
    return this.#address;
  }

  async start(): Promise<void> {
    const audio = await boundSocket();
    this.#audio = audio.socket.on('message', (packet) => this.#hear(packet));
    const { socket, port } = await boundSocket();
    await new Promise<void>((resolve) => socket.close(() => resolve()));
    await writeFile(this.#file('trunk.xml'), scenario(audio.port));
    const address = ['-i', '127.0.0.1', '-p', `${port}`];
    // The watchdog would end SIPp on a busy machine.
    const life = ['-nostdin', '-timeout', '600', '-watchdog_interval', '0'];
    const log = ['-trace_logs', '-log_file', this.#file('calls.log')];
    const options = ['-sf', this.#file('trunk.xml'), ...address, ...life, ...log];
    this.#sipp = spawn('sipp', options, { stdio: 'ignore', cwd: this.#folder });
    this.#address = `127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#audio?.close();
    if (this.#sipp?.exitCode !== null) return;
    this.#sipp.kill('SIGKILL');
    await once(this.#sipp, 'exit');
  }

  /** Each call as `called from caller`. */
  async calls(): Promise<string[]> {
    return (await this.#log()).map((line) => line.slice(0, line.lastIndexOf(' ')));
  }

  async callIds(): Promise<string[]> {
    return (await this.#log()).map((line) => line.slice(line.lastIndexOf(' ') + 1));
  }

  async #log(): Promise<string[]> {
    const text = await readFile(this.#file('calls.log'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  /** Packets of 20 milliseconds that were all this byte. */
  heard(byte: number): number {
    return this.#heard.get(byte) ?? 0;
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  #hear(packet: Buffer): void {
    const rtpHeader = 12;
    const sound = packet.subarray(rtpHeader);
    const [first] = sound;
    if (first !== undefined && sound.every((byte) => byte === first)) {
      this.#heard.set(first, this.heard(first) + 1);
    }
  }
}

/** A WAV file whose samples all have this value. */
export const steadySound = (value: number, seconds: number): Buffer => {
  const samples = Buffer.alloc(8000 * seconds * 2);
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(value, at);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
};
