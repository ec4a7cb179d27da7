import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtConsole } from '../../../console/build.ts';
import { sourceMapFolder } from '../../../lib/bundling/bundling.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { allRoutes, routes } from '../../../shared/app/all-routes.ts';
import { authorizeRequest, consolePage, refuseMethod } from '../../../shared/app/gateway-functions.ts';
import { importWork } from '../../../shared/imports/import-records.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { scopes } from '../../../shared/platform/api/route.ts';
import { metricNamespace } from '../../../shared/platform/observability/service-metrics.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { BareLambda } from '../../support/aws/bare-lambda.ts';
import {
  askEveryRoute,
  callThroughConnect,
  publishChange,
  sendToReceivers,
  takeTheMainRoad,
} from '../../support/aws/deployed-scenario.ts';
import { corsOrigin, DeployedService } from '../../support/aws/deployed-service.ts';
import { RolePolicy, type Statement } from '../../support/aws/iam.ts';
import { proxyEvent } from '../../support/aws/proxy-event.ts';
import { everything } from '../../support/aws/stack-parts.ts';
import { synthesized } from '../../support/aws/synthesized-stack.ts';
import { tokenIssuer } from '../../support/aws/token-issuer.ts';

const startMinutes = 20;

describe('the deployed service', () => {
  let service: DeployedService;
  beforeAll(async () => {
    service = await DeployedService.start(synthesized(everything).json);
  }, startMinutes * 60_000);
  afterAll(() => service.close());

  describe('bundled functions in bare processes', () => {
    it('take the main road', async () => {
      const { imported, previews, exported, task } = await takeTheMainRoad(service);
      expect(imported).toMatchObject({ importCount: 4, successCount: 2, failCount: 2 });
      expect(previews).toMatchObject([
        { kind: 'xlsx', headerRow: 1, rowCount: 1 },
        { kind: 'ods', headerRow: 1, rowCount: 1 },
      ]);
      expect(exported.statusCode).toBe(200);
      expect(exported.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(exported.headers['strict-transport-security']).toBe('max-age=63072000');
      expect(exported.body.split('\r\n').filter((line) => line !== '')).toHaveLength(1 + 3);
      expect(task).toMatchObject({ status: 1, callCount: 1 });
    });

    it('make calls through Amazon Connect and take in how they ended', async () => {
      expect(await callThroughConnect(service)).toMatchObject({
        status: 4,
        successCount: 1,
        callDuration: 30,
      });
    });

    it('publish the changes that the stream of the table tells', async () => {
      const { published, events } = await publishChange(service);
      expect(published).toEqual({ batchItemFailures: [] });
      expect(events).toMatchObject([{ type: 'task.state_changed', data: { status: 1 } }]);
      expect(service.published).toMatchObject([
        { DetailType: 'Task State Changed', EventBusName: 'outbound-prod' },
      ]);
    });

    it('send events to webhooks, which the queue asks for', async () => {
      const { id, attempts, listed } = await sendToReceivers(service);
      expect(service.wakes.map(({ MessageBody }) => MessageBody)).toContain(
        JSON.stringify({ webhookId: id }),
      );
      const failed = { status: 'failed', httpStatus: null, failure: 'connection' };
      expect(attempts.rows).toHaveLength(2);
      expect(attempts.rows).toMatchObject([failed, failed]);
      expect(listed.rows).toMatchObject([{ id, state: 'failing', waitingCount: 1 }]);
    });

    it('answer, each of them', async () => {
      const failed = (await askEveryRoute(service)).filter(([, statusCode]) => statusCode >= 500);
      expect(failed).toEqual([]);
    });

    it('answer errors in the envelope, streamed functions too', async () => {
      for (const route of [routes.taskDetail, routes.exportTask, routes.batchExport]) {
        const { statusCode, headers, body } = await service.answerTo(route, { params: { id: 'unknown' } });
        expect([route.id, statusCode]).toEqual([route.id, 404]);
        expect(headers['content-type']).toBe('application/json; charset=utf-8');
        expect(JSON.parse(body)).toMatchObject({ code: 404, data: null });
      }
    });

    it('refuse a token that has ended since the authorizer saw it', async () => {
      for (const route of [routes.listTasks, routes.batchExport]) {
        const event = proxyEvent(route, { params: { id: 'unknown' } });
        const expires = String(Math.floor(Date.now() / 1000));
        const authorizer = { ...event.requestContext.authorizer, expires };
        const { statusCode, headers, body } = await service.invoke(route.id, {
          ...event,
          requestContext: { ...event.requestContext, authorizer },
        });
        expect([route.id, statusCode, headers['www-authenticate']]).toEqual([route.id, 401, 'Bearer']);
        expect(JSON.parse(body)).toMatchObject({ code: 401, message: 'the access token has expired' });
      }
    });

    it('let pages of the configured origin read their answers', async () => {
      const { headers } = await service.answerTo(routes.listTasks);
      expect(headers['strict-transport-security']).toBe('max-age=63072000');
      expect(headers).toMatchObject({ 'access-control-allow-origin': corsOrigin, vary: 'Origin' });
    });

    it('refuse methods that a path does not have, and answer preflights of the configured origin', async () => {
      const event = proxyEvent(routes.listTasks, {});
      const refused = await service.invoke(refuseMethod.id, { ...event, httpMethod: 'DELETE' });
      expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'GET']);
      const preflight = await service.invoke(refuseMethod.id, { ...event, httpMethod: 'OPTIONS' });
      expect(preflight.statusCode).toBe(204);
      expect(preflight.headers['access-control-allow-origin']).toBe(corsOrigin);
    });

    it.each([
      ['batchImport', 'RowsImported', 2],
      ['batchImport', 'RowsRefused', 2],
      ['batchExport', 'ExportBytes', expect.any(Number)],
      ['leaseCalls', 'CallsLeased', 1],
      ['leaseCalls', 'CallsAsked', expect.any(Number)],
      ['leaseCalls', 'EmptyLeases', 0],
      ['reportResult', 'CallsFailed', 1],
      ['pumpCalls', 'CallsAsked', expect.any(Number)],
      ['pumpCalls', 'CallsLeased', expect.any(Number)],
      ['connectResults', 'CallsSucceeded', 1],
      ['publishEvents', 'EventsPublished', 1],
      ['publishEvents', 'EventsNotPublished', 0],
      ['deliverEvents', 'DeliveriesFailed', expect.any(Number)],
      ['doDueWork', 'DeliveryAgeSeconds', expect.any(Number)],
    ])('%s writes the metric %s', (id, name, value) => {
      const lines = service.logOf(id).filter((line) => line.includes(`"${name}"`));
      const [line] = lines.map((each) => JSON.parse(each) as Record<string, unknown>);
      expect(line).toMatchObject({ service: 'outbound', stage: 'prod', [name]: value });
      expect(line?._aws).toMatchObject({ CloudWatchMetrics: [{ Namespace: metricNamespace }] });
    });

    it('count a lease request once that is repeated under its key', async () => {
      const counted = () => service.logOf('leaseCalls').filter((line) => line.includes('CallsLeased')).length;
      const before = counted();
      const event = proxyEvent(routes.leaseCalls, { body: { limit: 1 } });
      for (let times = 0; times < 2; times++) await service.invoke('leaseCalls', event);
      expect(counted() - before).toBe(1);
    });

    it('tell how long an import has been running', async () => {
      const [importId, dataSourceId, minutesMs] = ['0'.repeat(16), '1'.repeat(16), 60_000];
      const agenda = new Agenda(service.table);
      await agenda.reschedule(importWork(importId), Date.now() - 16 * minutesMs, { dataSourceId });
      const begun = { runner: 'r', runUntil: Date.now() + minutesMs };
      const record = {
        ...keys.import(dataSourceId, importId),
        dataSourceId,
        importId,
        status: 'RUNNING',
        ...begun,
      };
      await service.table.put(record);
      await service.invoke('doDueFileWork', {});
      await agenda.done((await agenda.find(importWork(importId)))!);
      await service.table.delete(keys.import(dataSourceId, importId));
      await service.invoke('doDueFileWork', {});
      const ages = service.logOf('doDueFileWork').flatMap((line) => {
        const found = /"ImportAgeSeconds":(\d+)/.exec(line);
        return found === null ? [] : [Number(found[1])];
      });
      expect(Math.max(...ages)).toBeGreaterThanOrEqual(16 * 60);
      expect(Math.max(...ages)).toBeLessThan(3600);
      // Without a due import the age is zero, so that the alarm goes out.
      expect(ages.at(-1)).toBe(0);
    });

    it('know the rules of the stage', async () => {
      const rules = await service.call<{ version: string; timeZone: string }>(routes.describeService);
      expect(rules).toMatchObject({ version: manifest.version, timeZone: expect.any(String) });
    });
  });

  describe('a bundle', () => {
    const kilobyte = 1000;

    it('has a trace that npm run trace reads back to our files and lines', async () => {
      const { folder } = service.bundles.get('addTask')!;
      const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
      const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
      const found = texts.findIndex((text) => text.includes('internal error'));
      const lines = texts[found]!.split('internal error')[0]!.split('\n');
      const position = `${files[found]}:${lines.length}:${lines.at(-1)!.length + 1}`;
      const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/trace.ts', 'addTask']);
      child.stdin.end(`Error: x\n    at y (file:///var/task/${position})\n`);
      const printed = await new Response(Readable.toWeb(child.stdout) as never).text();
      expect(printed).toMatch(/^Error: x\n {4}at y \(shared\/platform\/http\/envelope\.ts:\d+:\d+\)\n$/);
    });

    it('stays within its budget', () => {
      const tooLarge = [...service.bundles.values()].filter(({ startBytes }) => startBytes >= 740 * kilobyte);
      expect(tooLarge.map(({ id, startBytes }) => `${id} ${startBytes}`)).toEqual([]);
    });

    it('compiles no schema and loads neither spreadsheet readers nor the S3 client at its start', () => {
      const unwanted =
        /node_modules\/(ajv|xlsx|exceljs|@aws-sdk\/client-s3)\/|shared\/files\/(csv|excel|zip)\//;
      for (const { id, startModules } of service.bundles.values()) {
        expect({ id, unwanted: startModules.filter((name) => unwanted.test(name)) }).toEqual({
          id,
          unwanted: [],
        });
      }
    });

    it('has the S3 client only where the route moves files', async () => {
      const moving: string[] = [];
      for (const { id, folder } of service.bundles.values()) {
        if ((await readdir(folder)).some((name) => name.startsWith('s3-objects-'))) moving.push(id);
      }
      expect(moving.sort()).toEqual([
        'batchAdd',
        'batchExport',
        'batchImport',
        'cancelImport',
        'doDueFileWork',
        'exportCalls',
        'exportTask',
        'importFile',
        'importStatus',
        'importUpload',
        'preflightBlocked',
        'rejectedRows',
      ]);
    });

    it('has its source maps beside it, not in it', async () => {
      for (const { id, folder } of service.bundles.values()) {
        const deployed = await readdir(folder);
        expect({ id, maps: deployed.filter((name) => name.endsWith('.map')) }).toEqual({ id, maps: [] });
        const maps = await readdir(path.join(sourceMapFolder(path.dirname(folder)), id));
        const modules = deployed.filter((name) => name.endsWith('.mjs'));
        expect(maps.sort()).toEqual(modules.map((name) => `${name}.map`).sort());
      }
    });
  });

  describe('the bundled console', () => {
    const event = (path: string, headers: Record<string, string> = {}) => {
      const asked = proxyEvent(routes.listTasks, {});
      const proxy = path.replace(/^\/console\/?/, '');
      return {
        ...asked,
        headers,
        path,
        pathParameters: proxy === '' ? null : { proxy },
        requestContext: { ...asked.requestContext, path: `/prod${path}` },
      };
    };

    it('serves the page that local mode serves, told where it lives and where people sign in', async () => {
      const folder = service.bundles.get(consolePage.id)?.folder ?? '';
      const lambda = new BareLambda(folder, {
        AWS_LAMBDA_FUNCTION_NAME: 'the-page',
        SERVICE_TIME_ZONE: 'Europe/Berlin',
        SIGN_IN_URL: 'https://people.example.com',
        SIGN_IN_CLIENT_ID: 'the-console',
      });
      try {
        const page = await lambda.invoke(event('/console/tasks/abc'));
        expect(page.statusCode).toBe(200);
        expect(page.headers['cache-control']).toBe('no-store');
        expect(page.headers['strict-transport-security']).toBe('max-age=63072000');
        expect(page.headers['content-security-policy']).toContain(
          "connect-src 'self' https://people.example.com",
        );
        expect(page.body).toContain('<base href="/prod/console/" />');
        expect(page.body).toContain('the-console');
        const built = await readFile(path.join(await builtConsole(), 'index.html'), 'utf8');
        const parts = (text: string) =>
          [...text.matchAll(/\.\/(assets\/[^"]+)/g)].map((found) => found[1] as string);
        expect(parts(page.body)).toEqual(parts(built));
        for (const part of parts(built)) {
          const { statusCode, headers, body } = await lambda.invoke(
            event(`/console/${part}`, { 'Accept-Encoding': 'gzip, br' }),
          );
          expect([part, statusCode, headers['content-encoding']]).toEqual([part, 200, 'br']);
          expect(headers['cache-control']).toContain('immutable');
          const plain = brotliDecompressSync(Buffer.from(body, 'latin1'));
          expect(plain.equals(await readFile(path.join(await builtConsole(), part)))).toBe(true);
        }
        expect((await lambda.invoke(event('/console/assets/none.js'))).statusCode).toBe(404);
      } finally {
        await lambda.close();
      }
    });
  });

  type Policy = {
    principalId: string;
    policyDocument: { Statement: Statement[] };
  };

  describe('the bundled authorizer', () => {
    const stageArn = 'arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/prod';
    let issuer: Awaited<ReturnType<typeof tokenIssuer>>;
    let authorizer: BareLambda;
    beforeAll(async () => {
      issuer = await tokenIssuer();
      authorizer = new BareLambda(service.bundles.get(authorizeRequest.id)?.folder ?? '', issuer.environment);
    });
    afterAll(async () => {
      await authorizer.close();
      await issuer.close();
    });

    const ask = async (header: string) =>
      (await authorizer.invoke({
        type: 'TOKEN',
        authorizationToken: header,
        methodArn: `${stageArn}/GET/api/task/list`,
      })) as unknown as Policy;

    const arnOf = ({ method, path }: (typeof allRoutes)[number]) =>
      `${stageArn}/${method}${path.replace(/\{\w+\}/g, '4k9x2m7q8t3vbn5c')}`;

    it.each(scopes)('allows exactly the routes of %s, so that its policy may be reused', async (scope) => {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const policy = await ask(`Bearer ${issuer.token(scope, { exp })}`);
      // Functions refuse the token once it has ended, however long API Gateway reuses the policy.
      expect(policy).toMatchObject({ principalId: 'our-client', context: { scope, expires: exp } });
      const role = new RolePolicy(policy.policyDocument.Statement);
      for (const route of allRoutes) {
        const need = { action: 'execute-api:Invoke', resource: arnOf(route), keys: [] };
        const isAllowed = route.scope === null || route.scope === scope;
        expect([route.id, role.permits(need)]).toEqual([route.id, isAllowed]);
      }
    });

    it('allows a token without a scope of ours only what needs none', async () => {
      const policy = await ask(`Bearer ${issuer.token('openid')}`);
      expect(policy.policyDocument.Statement).toEqual([
        { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: [`${stageArn}/GET/api/service`] },
      ]);
    });

    it.each([
      ['that has expired', () => issuer.token('outbound/read', { exp: 1_700_000_000 })],
      ['of another issuer', () => issuer.token('outbound/read', { iss: 'https://other.example' })],
      ['for another client', () => issuer.token('outbound/read', { client_id: 'stranger' })],
      ['that is an id token', () => issuer.token('outbound/read', { token_use: 'id' })],
      ['that is malformed', () => 'not-a-token'],
      [
        'signed by another key',
        () =>
          issuer.token('outbound/read', {}, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
      ],
    ])('refuses a token %s as API Gateway wants it for a 401', async (_, token) => {
      await expect(ask(`Bearer ${token()}`)).rejects.toThrow(/^Unauthorized$/);
    });
  });
});
