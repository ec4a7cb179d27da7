import { expect, it, vi } from 'vitest';
import { log } from '../../shared/platform/observability/log.ts';
import { dataFormat } from '../../shared/platform/table/data-format.ts';
import { FaultProcess } from '../support/faults/fault-process.ts';
import { useSmallParts } from '../support/faults/import-scenarios.ts';
import { longerWays, scenarios } from '../support/faults/scenarios.ts';
import { World } from '../support/faults/world.ts';

useSmallParts();

type Image = Record<string, Record<string, unknown>>;

/** Families of keys whose second part is a word of ours, not an id. */
const withKind = new Set(['AGENDA', 'ROLL', 'NAME']);
const isWord = (part: string) => /^[A-Z]+$/.test(part);

const keyPattern = (key: string): string => {
  const [first = '', ...rest] = key.split('#');
  const parts = rest.map((part, at) => (isWord(part) || (at === 0 && withKind.has(first)) ? part : '*'));
  return [isWord(first) ? first : '*', ...parts].join('#');
};

/**
 * Names that carry a minute, a quarter hour, a recall number, a number of calls, a reason or a
 * task.
 */
const namePattern = (name: string): string =>
  name
    .replace(/^t[0-9a-z]+([sfnd])$/, 't*$1')
    .replace(/^([pq])\d+([sfnd])$/, '$1*$2')
    .replace(/^([arn])\d+$/, '$1*')
    .replace(/^(why#|in#).*$/, '$1*')
    .replace(/[0-9a-hjkmnp-tv-z]{16}/, '*')
    .replace(/\d{6,}/, '*');

/** A line for each kind of item: its key, and its attributes with their types. */
const shapesOf = (images: Iterable<Image>): string => {
  const shapes = new Map<string, Set<string>>();
  for (const { pk, sk, ...attributes } of images) {
    const kind = `${keyPattern(String(pk?.S))} / ${keyPattern(String(sk?.S))}`;
    const shape = shapes.get(kind) ?? new Set();
    for (const [name, value] of Object.entries(attributes))
      shape.add(`${namePattern(name)} ${Object.keys(value)[0]}`);
    shapes.set(kind, shape);
  }
  const lines = [...shapes].map(([kind, shape]) => `${kind}  ${[...shape].sort().join(', ')}\n`);
  return lines.sort().join('');
};

/**
 * An item whose shape has changed is misread by the release before. If this fails: give
 * `dataFormat` a new number with a migration, so that the release before refuses the data, and
 * write the shapes with `npx vitest run -u` for this file. Until a format is released, its shapes
 * may change without a new number.
 */
it(`the shape of every kind of item is that of format ${dataFormat}`, async () => {
  vi.spyOn(log, 'error').mockReturnValue();
  const images: Image[] = [];
  for (const { prepare } of [...scenarios, ...longerWays]) {
    const { snapshot, run } = await prepare();
    const world = await World.open(snapshot);
    await run(new FaultProcess(world), world).catch(() => undefined);
    images.push(...(snapshot.items as Image[]));
    images.push(...world.changes.flatMap(({ after }) => (after === undefined ? [] : [after as Image])));
    await world.close();
  }
  vi.restoreAllMocks();
  await expect(shapesOf(images)).toMatchFileSnapshot(`../fixtures/item-shapes/format-${dataFormat}.txt`);
});
