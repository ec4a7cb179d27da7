import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isContactFile } from '../../shared/imports/import-objects.ts';
import { S3Objects, s3Client } from '../../shared/platform/objects/s3-objects.ts';
import { s3Front } from '../support/aws/s3-front.ts';
import { embeddedS3, type ObjectCreated } from '../support/s3/embedded-s3.ts';
import { type Api, accessToken, startApi } from '../support/service/api.ts';
import { until } from '../support/service/object-store.ts';
import { programOf } from '../support/service/program.ts';

const bucket = 'contact-files';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };

let api: Api;
let environment: Record<string, string>;
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/**
 * A bucket whose contact files the local service imports: dropped there, and the report brought
 * back.
 */
const openBucket = async (dataDir: string) => {
  const bringOver = async ({ detail: { object } }: ObjectCreated) => {
    if (!isContactFile(object.key)) return;
    const objects = new S3Objects(client, bucket);
    const file = path.join(dataDir, object.key);
    await writeFile(file, await objects.get(object.key));
    await until(() => existsSync(`${file}.result.json`));
    await objects.put(`${object.key}.result.json`, await readFile(`${file}.result.json`), 'application/json');
  };
  const s3 = embeddedS3(bucket, (event) => void bringOver(event));
  const client = s3Client({
    ...{ region: 'us-east-1', endpoint: 'http://bucket.local', credentials, forcePathStyle: true },
    requestHandler: s3.requestHandler,
  });
  const front = await s3Front(s3, () => ({ permits: () => true }), 'Bucket');
  closing.push(front.close);
  return front.url;
};

beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'smoke-'));
  api = await startApi({ dataDir });
  environment = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_S3: await openBucket(dataDir),
  };
  closing.push(
    () => api.stop(),
    () => rm(dataDir, { recursive: true }),
  );
});

/** The command as it is run. */
const smoke = async (...args: string[]) =>
  outputOf(process.execPath, [await programOf('local/smoke/smoke.ts'), ...args]);

const outputOf = async (command: string, args: string[], variables: Record<string, string> = {}) => {
  const child = spawn(command, args, { env: { ...process.env, ...environment, ...variables } });
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

it('takes the main road by every road, one line a step, and leaves nothing', async () => {
  const { code, output, errors } = await smoke(...service(), ...['--bucket', bucket]);
  const lines = output.trimEnd().split('\n');
  expect({ code, errors, failed: lines.filter((line) => !line.startsWith('ok')) }).toEqual({
    code: 0,
    errors: '',
    failed: [expect.stringMatching(/^all steps passed in [\d.]+ s$/)],
  });
  expect(lines).toHaveLength(15 + 1);
  const tasks = await api.get('/api/task/list');
  expect(tasks.body.data).toEqual({ total: 0, rows: [] });
  const sources = await api.get('/api/dataSource/list');
  expect(sources.body.data).toEqual({ total: 0, rows: [] });
});

it('says which step failed, cleans up and fails', async () => {
  const readOnly = await smoke('--base-url', api.url, '--token', 'wrong');
  expect(readOnly).toMatchObject({ code: 1, errors: '' });
  expect(readOnly.output).toMatch(/^FAIL {2}data source added: the service does not accept the access token/);
  const { code, output } = await smoke(...service(), '--bucket', 'another');
  expect(code).toBe(1);
  expect(output).toMatch(
    /FAIL {2}file dropped in the bucket and imported: .*\nok {4}contacts deleted .*\nok {4}task and data source deleted .*\n1 failed/,
  );
});

it('shows no token that it gets by a variable, although npm shows the command', async () => {
  const variables = { LOCAL_ACCESS_TOKEN: '', ACCESS_TOKEN: accessToken, DIAL_TOKEN: 'a-wrong-token' };
  const args = ['run', 'smoke', '--', '--base-url', api.url];
  const { output, errors } = await outputOf('npm', args, variables);
  expect(output).toMatch(/^> node scripts\/run\.mjs local\/smoke\/smoke\.ts --base-url/m);
  // The one token is taken, and the other one is refused.
  expect(output).toMatch(/^ok {4}data source added[\s\S]*^FAIL {2}.*does not accept the access token/m);
  expect(`${output}${errors}`).not.toMatch(new RegExp(`${accessToken}|a-wrong-token`));
});

it('says what is wrong with an option in one line', async () => {
  expect(await smoke('--base-url', 'nowhere')).toEqual({
    code: 1,
    output: '',
    errors: '--base-url must be an http address, not "nowhere"\n',
  });
});
