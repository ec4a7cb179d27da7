import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import type { Route } from '../../../shared/api/route.ts';
import type { Answer } from '../../support/service/answers.ts';
import { type Api, succeeded } from '../../support/service/api.ts';
import { MortalService, openWorld } from '../../support/service/mortal-service.ts';
import { aPost, type Post, recallOfAll, send } from '../../support/service/post-scenarios.ts';

const environment = { MAX_CALLS_PER_NUMBER_PER_DAY: '2' };
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
    .replaceAll(/once \d+/g, 'once')
    .replaceAll(/(?<=-)[0-9a-z]{10}(?=")/g, 'lease')
    .replaceAll(/\b[0-9a-z]{16}\b/g, numbered);
  return JSON.parse(text);
};

type World = Awaited<ReturnType<typeof openWorld>>;

/** What was answered, and what there is then. */
const outcomeIn = async (world: World, post: Post) => {
  const service = await MortalService.start(world);
  let answer: Answer | undefined;
  const writes = await service.writesOf(async () => {
    answer = await send(service, post, key);
  });
  const { status, body } = answer!;
  const outcome = withoutChance([{ status, body }, await seen(service)]);
  await world.close();
  return { writes, outcome };
};

/** A process that ends after so many writes of the request, and another one that is sent it again. */
const retried = async (world: World, post: Post, writes: number) => {
  const service = await MortalService.start(world);
  await service.dyingAfter(writes, () => send(service, post, key));
  return (await outcomeIn(world, post)).outcome;
};

const posts = allRoutes.filter(({ method }) => method === 'POST');
const scenarios: { name: string; scenario: (api: Api) => Promise<Post> }[] = [
  ...posts.map((route: Route) => ({ name: route.id, scenario: (api: Api) => aPost(api, route) })),
  { name: 'recallTask of all that failed', scenario: recallOfAll },
];

describe('a request with an Idempotency-Key whose process ends at any step of it', () => {
  it.each(scenarios)('is carried out once when it is sent again: $name', async ({ scenario }) => {
    const before = await openWorld(environment);
    const post = await scenario(await MortalService.start(before));
    const items = [...before.items.values()];
    await before.close();
    const again = () => openWorld(environment, items);
    const { writes, outcome } = await outcomeIn(await again(), post);
    for (let last = 0; last <= writes; last++) {
      const found = await retried(await again(), post, last);
      expect(found, `ended after ${last} of ${writes} writes`).toEqual(outcome);
    }
  });
});
