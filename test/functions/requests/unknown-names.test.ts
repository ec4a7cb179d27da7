import { describe, expect, it } from 'vitest';
import { allRoutes, routes } from '../../../shared/app/all-routes.ts';
import { checkedBody } from '../../../shared/platform/api/body-names.ts';
import type { Route } from '../../../shared/platform/api/route.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { farFrom, misspellings } from '../../support/service/misspellings.ts';
import { aPost, type Post, send } from '../../support/service/post-scenarios.ts';

const { taskDetail, updateTask } = routes;

type Properties = Record<string, { properties?: Properties; items?: { properties?: Properties } }>;
const inputsOf = ({ body, form }: Route) =>
  Object.keys((((body ?? form) as { properties?: Properties }).properties ?? {}) as object);

/** The contract's own; `recall` is not among them. */
const ignoring = [
  ...['addTask', 'updateTask', 'publishTask', 'pauseTask', 'resumeTask', 'stopTask'],
  ...['addDataSource', 'updateDataSource', 'deleteContact', 'batchImport'],
];
const free = ['addContact', 'updateContact'];
const posts = allRoutes.filter(({ method }) => method === 'POST');
const named = (ids: readonly string[]) => posts.filter(({ id }) => ids.includes(id));
const strict = posts.filter(({ id }) => ![...ignoring, ...free].includes(id));

const withNames = (post: Post, names: readonly string[], value: unknown = 'x'): Post => ({
  ...post,
  body: { ...(post.body as object), ...Object.fromEntries(names.map((name) => [name, value])) },
});
const withName = (post: Post, name: string, value?: unknown) => withNames(post, [name], value);

describe('a name that a request does not know', () => {
  const api = useApi();
  const sent = (post: Post) => send(api, post, undefined);
  const refusedFor = async (post: Post, names: readonly string[], message: string, value: unknown = 'x') => {
    const answer = await sent(withNames(post, names, value));
    expectError(answer, 400, /./);
    const errors = names.map((field) => ({ field, code: 'UNKNOWN', message }));
    expect(answer.body.data.errors).toEqual(expect.arrayContaining(errors));
    expect(answer.body.message).toContain(`${names[0]}: ${message}`);
  };
  const notKnown = 'is not a name that this request knows';

  it('has a rule on every route: each POST has a body or a form', () => {
    expect(posts.filter(({ body, form }) => (body ?? form) === undefined)).toEqual([]);
    expect(
      posts
        .filter(({ ignoresUnknownNames }) => ignoresUnknownNames)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ignoring, ...free].sort());
  });

  it.each(strict)('is refused by $path', async (route) => {
    const post = await aPost(api, route);
    await refusedFor(post, ['nobodyKnows', 'constructor'], notKnown, null);
    const inputs = inputsOf(route).filter((name) => name !== 'id');
    for (const input of inputs) await refusedFor(post, [misspellings(input)[1]!], `did you mean ${input}?`);
    succeeded(await sent(post));
  });

  it.each(named(ignoring))('is ignored by $path, unless it is a near miss of an input', async (route) => {
    const post = await aPost(api, route);
    const inputs = inputsOf(route).filter((name) => name !== 'id');
    for (const input of inputs) await refusedFor(post, misspellings(input), `did you mean ${input}?`);
    const others = ['ID', 'ids', 'idd', 'nobodyKnows', '', ...inputs.map(farFrom)];
    succeeded(await sent(withNames(post, others)));
  });

  it('is near if it differs in one letter of five', async () => {
    const { id } = await api.aDataSource();
    const { id: excluded } = await api.aDataSource();
    const task = { taskName: 'near', dataSourceId: id };
    for (const name of ['excluded_data_source_ids', 'excludeDataSources', 'EXCLUDED-DATA-SOURCE-ID'])
      expectError(
        await api.post('/api/task/add', { ...task, [name]: [excluded] }),
        400,
        new RegExp(`^${name}: did you mean excludedDataSourceIds\\?$`),
      );
    succeeded(await api.post('/api/task/add', { ...task, desc: 'x', name: 'x', excluded: [excluded] }));
  });

  it('in the form of an import stores nothing, whatever it is near to', async () => {
    const { id } = await api.aDataSource();
    const file = 'phoneNumber\n13800138000\n';
    const path = `/api/dataSource/${id}/contact/batchImport`;
    for (const [name, known] of [
      ['dry_run', 'dryRun'],
      ['DryRun', 'dryRun'],
      ['on-duplicate', 'onDuplicate'],
      ['files', 'file'],
    ] as const)
      await refusedFor({ path, file }, [name], `did you mean ${known}?`, 'true');
    expect(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(0);
  });

  it('may be a field of a task or a data source that is sent back whole', async () => {
    const task = await api.aTask({
      ...{ breaks: [{ start: '12:00', end: '13:00' }], pauseWhen: { failedPercent: 50, calls: 20 } },
      ...{
        retryRules: [{ reasons: ['busy'], waitSeconds: 60, attempts: 2 }],
        callSettings: { taskname: 'free' },
      },
      ...{ dispositions: [{ code: 'paid' }], contactFilter: [{ field: 'plan', is: 'notEmpty' }] },
    });
    const ways = [`task/detail/${task.id}`, `task/${task.id}/overview`, `task/${task.id}/stat`];
    for (const way of ways) {
      const shown = succeeded(await api.get(`/api/${way}`));
      succeeded(await api.post('/api/task/update', { ...shown, id: task.id }));
    }
    const source = succeeded(await api.get(`/api/dataSource/detail/${task.dataSourceId}`));
    succeeded(await api.post('/api/dataSource/update', source));
    succeeded(await api.post('/api/task/publish', task));
    // A field that an answer gets one day may be like an input.
    const shown = {
      ...taskDetail,
      response: { data: { type: 'object', properties: { prioritys: {} } } },
    } as const;
    expect(checkedBody(updateTask, [shown])).toMatchObject({ properties: { prioritys: {} } });
  });

  /**
   * Objects and list entries inside the bodies, as paths with an entry of each that is otherwise
   * right.
   */
  const inside: [string, unknown, string][] = [
    ['breaks', [{ start: '12:00', end: '13:00', ends: 'x' }], 'breaks.0.ends: did you mean end?'],
    [
      'retryRules',
      [{ reasons: ['busy'], waitSeconds: 1, attempts: 1, wait: 'x' }],
      'retryRules.0.wait: is not a name that this request knows',
    ],
    ['dispositions', [{ code: 'paid', Then: 'final' }], 'dispositions.0.Then: did you mean then?'],
    [
      'contactFilter',
      [{ field: 'plan', is: 'empty', valeu: 'x' }],
      'contactFilter.0.valeu: did you mean value?',
    ],
    ['callLimits', [{ calls: 3, minutes: 60, minute: 1 }], 'callLimits.0.minute: did you mean minutes?'],
    ['pauseWhen', { failedPercent: 50, calls: 20, call: 9 }, 'pauseWhen.call: did you mean calls?'],
  ];
  const routesWith = (input: string) => posts.filter((route) => inputsOf(route).includes(input));

  it.each(inside)('is refused inside %s on every route that has it', async (input, value, message) => {
    for (const route of routesWith(input)) {
      const post = await aPost(api, route);
      expectError(await sent(withName(post, input, value)), 400, new RegExp(message.replace('?', '\\?')));
    }
  });

  it('is refused inside every object whose names are not free', () => {
    const objects = posts.flatMap((route) =>
      Object.entries((route.body as { properties?: Properties } | undefined)?.properties ?? {})
        .filter(([, { properties, items }]) => (properties ?? items?.properties) !== undefined)
        .map(([name]) => name),
    );
    expect([...new Set(objects)].sort()).toEqual([...inside.map(([name]) => name), 'contacts'].sort());
  });

  it('is free in the contacts of a batch, call settings, data of a call and the mapping of an import', async () => {
    const { id } = await api.aDataSource();
    const contacts = [{ phoneNumber: '13800138000', phoneNumbr: 'x', customernam: 'y' }];
    expect(succeeded(await api.post(`/api/dataSource/${id}/contact/batchAdd`, { contacts }))).toMatchObject({
      successCount: 1,
    });
    const file = { fileName: 'a.csv', fileSize: 9, mapping: { sheeet: 'mappin' } };
    succeeded(await api.post(`/api/dataSource/${id}/contact/importUpload`, file));
    const task = await api.aTask({ dataSourceId: id, callSettings: { taskname: 'x' } });
    succeeded(await api.post('/api/task/publish', { id: task.id }));
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId: task.id }));
    const [{ callId }] = calls as [{ callId: string }];
    const result = { callId, outcome: 'success', data: { outcom: 'x' } };
    const wrong = { ...result, durations: 5 };
    const { results } = succeeded(await api.post('/api/dialer/results', { results: [wrong, result] }));
    expect(results).toMatchObject([{ code: 400, message: 'durations: did you mean duration?' }, { code: 0 }]);
  });
});
