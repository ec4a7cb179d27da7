import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, accessToken, startApi } from '../support/service/api.ts';
import { programOf } from '../support/service/program.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const credentials = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: accessToken,
  AWS_REGION: 'us-east-1',
};

/** The command as it is run. */
const smoke = async (...args: string[]) => {
  const child = spawn(process.execPath, [await programOf('local/smoke.ts'), ...args], {
    env: { ...process.env, ...credentials },
  });
  const told = { output: '', errors: '' };
  child.stdout.on('data', (data) => {
    told.output += data;
  });
  child.stderr.on('data', (data) => {
    told.errors += data;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...told };
};

const service = () => ['--base-url', api.url, '--token', accessToken];

it('takes the main road by every road, one line a step, and leaves nothing running', async () => {
  const { code, output, errors } = await smoke(
    ...service(),
    ...['--bucket', 'outbound', '--s3-endpoint', `${api.url}/s3`],
  );
  const lines = output.trimEnd().split('\n');
  expect({ code, errors, failed: lines.filter((line) => !line.startsWith('ok')) }).toEqual({
    code: 0,
    errors: '',
    failed: [expect.stringMatching(/^all held in [\d.]+ s$/)],
  });
  expect(lines).toHaveLength(14 + 1);
  const tasks = await api.get('/api/task/list');
  expect(tasks.body.data).toMatchObject({ total: 1, rows: [{ status: 6 }] });
  const sources = await api.get('/api/dataSource/list');
  expect(sources.body.data).toMatchObject({ total: 1, rows: [{ contactCount: 0 }] });
});

it('says which step did not hold, cleans up and fails', async () => {
  const readOnly = await smoke('--base-url', api.url, '--token', 'wrong');
  expect(readOnly).toMatchObject({ code: 1, errors: '' });
  expect(readOnly.output).toMatch(/^FAIL {2}data source added: the service does not accept the access token/);
  const { code, output } = await smoke(...service(), '--bucket', 'another', '--s3-endpoint', `${api.url}/s3`);
  expect(code).toBe(1);
  expect(output).toMatch(
    /FAIL {2}file dropped in the bucket and imported: .*\nok {4}contacts deleted .*\n1 did not hold/,
  );
});

it('says what is wrong with an option in one line', async () => {
  expect(await smoke('--base-url', 'nowhere')).toEqual({
    code: 1,
    output: '',
    errors: '--base-url must be an http address, not "nowhere"\n',
  });
});
