import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import type { Route } from '../../../shared/api/route.ts';
import { FaultProcess } from '../../support/faults/fault-process.ts';
import { World } from '../../support/faults/world.ts';
import type { Envelope } from '../../support/service/answers.ts';
import { type Api, succeeded } from '../../support/service/api.ts';
import { aPost, type Post, recallOfAll, send } from '../../support/service/post-scenarios.ts';

const key = 'the-same-each-time';

const read = async (api: Api, path: string) => succeeded(await api.get(path, { pageSize: 500 }));

/** All that clients can see of the service. */
const seen = async (api: Api): Promise<unknown> => {
  const sources = await read(api, '/api/dataSource/list');
  const tasks = await read(api, '/api/task/list');
  const ofSource = ['contacts', 'contact/imports'];
  const ofTask = ['stat', 'overview', 'timeline', 'contacts', 'history'];
  const below = (base: string, rows: readonly { id: string }[], parts: readonly string[]) =>
    Promise.all(rows.flatMap(({ id }) => parts.map((part) => read(api, `${base}/${id}/${part}`))));
  return [
    sources,
    tasks,
    await below('/api/dataSource', [...sources.rows, { id: 'do-not-call' }], ofSource),
    await below('/api/task', tasks.rows, ofTask),
  ];
};

/** Ids that are made up anew in each run become numbers in the order they are met. */
const withoutChance = (value: unknown): unknown => {
  const known = new Map<string, string>();
  const numbered = (id: string) => known.get(id) ?? known.set(id, `id ${known.size}`).get(id)!;
  const text = JSON.stringify(value)
    .replaceAll(/X-Amz-(?:Date|Signature)=\w+/g, '')
    // The day of the signature.
    .replaceAll(/(?<=X-Amz-Credential=local%2F)\d{8}/g, '')
    .replaceAll(/once \d+/g, 'once')
    .replaceAll(/(?<=-)[0-9a-z]{10}(?=")/g, 'lease')
    .replaceAll(/\b[0-9a-z]{16}\b/g, numbered);
  return JSON.parse(text);
};

/** The leases of one request are written at once: which of them came before the end decides their order. */
const inOrder = ({ data, ...envelope }: Envelope) => {
  const calls = (data as { calls?: { contactId: string }[] } | null)?.calls;
  return {
    ...envelope,
    data: calls ? { ...data, calls: sortedBy(calls, ({ contactId }) => contactId) } : data,
  };
};
const sortedBy = <T>(values: readonly T[], of: (value: T) => string) =>
  [...values].sort((a, b) => (of(a) < of(b) ? -1 : 1));

/** Reads change nothing: a process that ends at one leaves what the write before it has left. */
const isRead = (call: string) => /Get|Query|HEAD/.test(call);

/** What was answered, and what there is then; and which of the calls to AWS were writes, from 1. */
const outcomeIn = async (world: World, post: Post) => {
  const service = new FaultProcess(world);
  service.line.begin();
  const { status, body } = await send(service, post, key);
  const writes = service.line.calls.flatMap((call, i) => (isRead(call) ? [] : [i + 1]));
  const outcome = withoutChance([{ status, body: inOrder(body) }, await seen(service)]);
  return { writes, outcome };
};

/** A process that ends before that call of the request, and another one that is sent it again. */
const retried = async (world: World, post: Post, call: number) => {
  const service = new FaultProcess(world);
  service.line.begin({ call, fault: 'ended before' });
  await Promise.race([send(service, post, key), service.line.ended]);
  return (await outcomeIn(world, post)).outcome;
};

const posts = allRoutes.filter(({ method }) => method === 'POST');
const scenarios: { name: string; scenario: (api: Api) => Promise<Post> }[] = [
  ...posts.map((route: Route) => ({ name: route.id, scenario: (api: Api) => aPost(api, route) })),
  { name: 'recallTask of all that failed', scenario: recallOfAll },
];

describe('a request with an Idempotency-Key whose process ends at any step of it', () => {
  it.each(scenarios)('is carried out once when it is sent again: $name', async ({ scenario }) => {
    const before = await World.open();
    const post = await scenario(new FaultProcess(before));
    const snapshot = await before.snapshot();
    await before.close();
    const inTheSame = async <T>(job: (world: World) => Promise<T>): Promise<T> => {
      const world = await World.open(snapshot);
      return job(world).finally(() => world.close());
    };
    const { writes, outcome } = await inTheSame((world) => outcomeIn(world, post));
    // The last process ends with the request: it is carried out, and its answer gets lost.
    for (const call of [...writes, Number.POSITIVE_INFINITY]) {
      const found = await inTheSame((world) => retried(world, post, call));
      expect(found, `ended before call ${call} of its writes ${writes}`).toEqual(outcome);
    }
  });
});
