import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { settingsFrom } from '../../lib/settings/settings.ts';
import { bundle } from '../../scripts/bundle.mjs';
import { DialingApi } from '../support/dialing/dialing-api.ts';
import {
  against,
  type Block,
  blocksOf,
  isPasted,
  needsAws,
  pages,
  root,
  typed,
} from '../support/docs/pages.ts';
import { hasPython } from '../support/run/python.ts';
import { type Api, accessToken, succeeded } from '../support/service/api.ts';
import { startEventService } from '../support/service/event-service.ts';
import { aFreePort } from '../support/service/free-port.ts';
import { anIssuer } from '../support/service/issuer.ts';
import { programOf } from '../support/service/program.ts';
import { aDataDir, startProcess } from '../support/service/service-process.ts';

const run = promisify(execFile);

const blockOf = (page: string, start: string): Block => {
  const found = blocksOf(page).find(({ text }) => text.startsWith(start));
  if (found === undefined) throw new Error(`${page} has no block that begins with "${start}"`);
  return found;
};

/** The blocks that this file tries. */
const tried = {
  pythonDialer: blockOf('docs/dialing.md', 'import json'),
  dialer: blockOf('docs/dialing.md', 'import { dial }'),
  simulator: blockOf('docs/dialing.md', 'npm run simulate'),
  poll: blockOf('docs/events.md', 'let after'),
  expanded: blockOf('docs/events.md', 'api "$BASE/api/event/list'),
  addWebhook: blockOf('docs/events.md', 'ADDED='),
  receiver: blockOf('docs/events.md', 'import base64'),
  sendTest: blockOf('docs/events.md', 'post $BASE/api/webhook/send'),
  eventLines: blockOf('docs/events.md', 'npm start | grep'),
  client: blockOf('docs/client.md', 'import { createApiClient'),
  callLines: blockOf('docs/operations.md', `grep '"message":"call`),
  stageFile: blockOf('docs/deployment.md', '{\n  "account"'),
  clients: blockOf('docs/deployment.md', '"clients"'),
};

/** Blocks that other tests try, or that need what no test has. */
const elsewhere = {
  'npm ci && npm start': 'CI installs; test/local/process.all.test.ts starts the service',
  'sudo apt-get install -y baresip': 'test/docs/sip-dialer.all.test.ts',
  'PLATFORM=retell': 'test/docs/voice-agent.all.test.ts, with stand-ins',
  'npm run bench': 'takes an hour',
  'grep \'"message":"call': 'tried below, with the id of a contact',
};

const [helpers, list] = blocksOf('README.md').filter(({ text }) => /BASE=|ID=/.test(text)) as [Block, Block];

/** Runs what is typed after the README's first blocks. */
const paste = async (api: Api, cwd: string, script: string) => {
  await mkdir(path.join(cwd, 'downloads'), { recursive: true });
  const whole = against(api.url, `set -eu\n${typed(helpers)}${typed(list)}${script}`);
  const { stdout } = await run('bash', ['-c', whole], { cwd });
  return stdout;
};
/** Types a block whose program runs until it is told to end. */
const inBackground = (block: Block, output: string) => `${typed(block).trimEnd()} > ${output} 2>&1 &\n`;
const until = (condition: string) =>
  `for i in $(seq 600); do ${condition} && break; sleep 0.1; done; ${condition}\n`;

it.skipIf(!hasPython)('the dialer in Python calls a task to its end', async () => {
  const api = await startEventService();
  const stdout = await paste(
    api,
    await aDataDir(),
    `${typed(tried.pythonDialer)}api $BASE/api/task/$TASK/stat`,
  );
  expect(stdout.match(/^calling 1380013800\d/gm)).toHaveLength(4);
  expect(stdout).toMatch(/"status":4.*"callCount":4/);
});

it('the dialer in JavaScript calls, and ends at Ctrl-C', async () => {
  const api = await startEventService();
  const cwd = await aDataDir();
  for (const file of ['dialer.mjs', 'token.mjs'])
    await copyFile(path.join(root, 'docs/examples', file), path.join(cwd, file));
  const ended = until(`api $BASE/api/task/$TASK/stat | grep -q '"status":4'`);
  await paste(api, cwd, `${inBackground(tried.dialer, 'said')}${ended}kill -INT $!; wait $!`);
});

it('the simulator dials as its line says', async () => {
  const api = await startEventService();
  const { id } = await new DialingApi(api).aRunningTask(12, { maxDialCount: 1 });
  const [, , , , ...options] = tried.simulator.text.trim().split(' ');
  const program = await programOf('local/simulation/simulate.ts');
  await run(process.execPath, [program, ...options, '--base-url', api.url, '--until-idle']);
  expect(succeeded(await api.get(`/api/task/${id}/stat`))).toMatchObject({ status: 4, callCount: 12 });
});

it.skipIf(!hasPython)(
  'the receiver gets events, the list has them, and unsigned deliveries are refused',
  async () => {
    const api = await startEventService();
    const cwd = await aDataDir();
    const port = await aFreePort();
    const call = `CALL=$(post $BASE/api/dialer/lease -d '{"limit":1}' | field callId)
post $BASE/api/dialer/result -d '{"callId":"'$CALL'","outcome":"success","duration":42}'\n`;
    const forged = `curl -s -o forged -w '%{http_code}' -H 'webhook-id: a' -H 'webhook-timestamp: 1' \\
  -H 'webhook-signature: v1,a' -d '{}' http://127.0.0.1:4000/hook\n`;
    const script = [
      typed(tried.addWebhook),
      inBackground(tried.receiver, 'received'),
      'PROGRAMS=$!\n',
      until('curl -s -o /dev/null http://127.0.0.1:4000/'),
      typed(tried.sendTest),
      until('grep -q webhook.test received'),
      call,
      until('grep -q call.ended received'),
      inBackground(tried.poll, 'polled'),
      'PROGRAMS="$PROGRAMS $!"\n',
      until('grep -q call.ended polled'),
      typed(tried.expanded),
      forged,
      'kill $PROGRAMS\n',
    ].join('');
    const stdout = await paste(
      api,
      cwd,
      script.replaceAll(':4000', `:${port}`).replaceAll('4000)', `${port})`),
    );
    expect(stdout).toMatch(/"call":\{"callId"/);
    expect(stdout.endsWith('400')).toBe(true);
  },
);

it('the typed client renews its token and works', async () => {
  const api = await startEventService();
  const { id } = await new DialingApi(api).aRunningTask(1);
  const issuer = await anIssuer([{ token: accessToken }]);
  onTestFinished(() => issuer.close());
  const cwd = await aDataDir();
  await symlink(path.join(root, 'client'), path.join(cwd, 'client'));
  const { tokenUrl, clientId, clientSecret } = issuer.credentials;
  const given = { baseUrl: api.url, tokenUrl, clientId, clientSecret };
  const names = Object.entries(given).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  const file = path.join(cwd, 'program.ts');
  const { text } = tried.client;
  const imports = /^(import .*\n)+/.exec(text)?.[0] ?? '';
  const rest = `${text.slice(imports.length)}console.log(total, status);\n`;
  await writeFile(file, [imports, ...names, rest].join(''));
  const { stdout } = await run(process.execPath, [(await bundle(file)) as string]);
  expect(stdout).toBe('1 2\n');
  expect(await new DialingApi(api).statusOf(id as string)).toBe(2);
});

it('the log tells events and the calls of a contact', async () => {
  const cwd = await aDataDir();
  const service = await startProcess({ DATA_DIR: ':memory:' });
  const given = typed(helpers).replace('http://127.0.0.1:3000', service.url);
  const call = `CALL=$(post $BASE/api/dialer/lease -d '{"limit":1}' | field callId)
post $BASE/api/dialer/result -d '{"callId":"'$CALL'","outcome":"success","duration":42}'`;
  const { stdout } = await run('bash', ['-c', `set -eu\n${given}${typed(list)}${call}`], { cwd });
  const contactId = /"contactId":"([^"]+)"/.exec(stdout)?.[1] ?? '';
  await expect.poll(service.printed).toMatch(/"message":"event"[^\n]*Call Ended/);
  await writeFile(path.join(cwd, 'service.log'), service.printed());
  const lines = async (script: string) => (await run('bash', ['-c', script], { cwd })).stdout;
  expect(await lines(tried.eventLines.text.replace('npm start', 'cat service.log'))).toContain('Call Ended');
  const told = await lines(tried.callLines.text.replace('<contact id>', contactId));
  expect(told).toMatch(/^\S+ \S+ leased, attempt 1\n\S+ \S+ reported, attempt 1,"outcome":"success".*\n$/);
});

it('the settings of a stage are right', () => {
  const file = { ...JSON.parse(tried.stageFile.text), ...JSON.parse(`{${tried.clients.text}}`) };
  const settings = settingsFrom({ stage: 'prod' }, () => JSON.stringify(file));
  expect(settings).toMatchObject({ stage: 'prod', timeZone: 'Asia/Shanghai' });
});

it('every block of every page is tried by a test, or needs AWS', () => {
  const isCommand = ({ language, text }: Block) =>
    language !== '' || /^(npm|npx|node|curl|python3|sudo) /.test(text);
  const isTold = ({ text }: Block) => Object.keys(elsewhere).some((start) => text.startsWith(start));
  const isTried = ({ page, line }: Block) =>
    Object.values(tried).some((block) => block.page === page && block.line === line);
  /** test/docs/json.test.ts and test/docs/concepts.test.ts. */
  const isChecked = ({ page, language }: Block) =>
    (language === 'json' && page !== 'docs/deployment.md') || language === 'mermaid';
  const left = pages
    .flatMap(blocksOf)
    .filter(isCommand)
    .filter((block) => ![isPasted, needsAws, isChecked, isTold, isTried].some((is) => is(block)));
  expect(left.map(({ page, line, text }) => `${page}:${line} ${text.split('\n')[0]}`)).toEqual([]);
});
