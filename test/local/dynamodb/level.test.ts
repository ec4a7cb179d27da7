import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Change, MemoryLevel, type RangeOptions } from '../../../local/dynamodb/level.ts';
import { randomRuns } from '../../support/run/extent.ts';

const keyOf = (n: number) => `key/${String(n).padStart(4, '0')}/`;
const someKey = fc.nat({ max: 1500 }).map(keyOf);
/** Enough for runs to be split, many puts of one key, and deletions that leave a run empty. */
const someChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constant('put' as const), key: someKey, value: fc.record({ n: fc.nat() }) }),
  fc.record({ type: fc.constant('del' as const), key: someKey }),
);
const stretch = fc
  .tuple(fc.nat({ max: 900 }), fc.integer({ min: 1, max: 600 }), fc.boolean())
  .map(([from, count, isPut]): Change[] =>
    Array.from({ length: count }, (_, i) => {
      const key = keyOf(from + i);
      return isPut ? { type: 'put', key, value: { n: i } } : { type: 'del', key };
    }),
  );
const someRange: fc.Arbitrary<RangeOptions> = fc
  .record({ gte: someKey, gt: someKey, lt: someKey, reverse: fc.boolean() }, { requiredKeys: ['reverse'] })
  .map(({ gt, ...range }) => (gt !== undefined && range.gte === undefined ? { ...range, gt } : range));

const expected = (model: Map<string, object>, { gt = '', gte = '', lt = '~', reverse }: RangeOptions) => {
  const found = [...model.keys()].filter((key) => key > gt && key >= gte && key < lt).sort();
  return (reverse ? found.reverse() : found).map((key) => model.get(key));
};

const readAll = async ({ nextv }: ReturnType<MemoryLevel['values']>) => {
  const all: unknown[] = [];
  for (let size = 1; ; size = 100) {
    const some = await nextv(size);
    if (some.length === 0) return all;
    all.push(...some);
  }
};

it('keeps, finds and lists what a sorted map does, as of the moment it was asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(stretch, fc.array(someChange, { maxLength: 20 })), { maxLength: 8 }),
      someRange,
      someKey,
      async (batches, range, key) => {
        const level = new MemoryLevel();
        await level.open();
        const model = new Map<string, object>();
        for (const batch of batches) {
          const before = { found: level.values(range), expected: expected(model, range) };
          await level.batch(batch);
          for (const change of batch) {
            if (change.type === 'put') model.set(change.key, change.value);
            else model.delete(change.key);
          }
          expect(await readAll(before.found)).toEqual(before.expected);
          expect(await readAll(level.values(range))).toEqual(expected(model, range));
          expect(level.getSync(key)).toEqual(model.get(key));
        }
      },
    ),
    randomRuns(40),
  );
});
