import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noBytes, packBytes, unpackBytes, withBytes } from '../../../shared/platform/table/packed-bytes.ts';
import { randomRuns } from '../../support/run/extent.ts';

const aPage = fc.uint8Array({ max: 128, maxLength: 800 });
/** As imports and deletions leave it: mostly full blocks. */
const anImportedPage = fc
  .array(fc.tuple(fc.constantFrom(128, 128, 128, 127, 16, 0), fc.integer({ min: 1, max: 400 })), {
    maxLength: 9,
  })
  .map((runs) => Uint8Array.from(runs.flatMap(([live, length]) => new Array(length).fill(live))));

describe('live counts', () => {
  it('change one by one or together, with empty blocks in between', () => {
    fc.assert(
      fc.property(
        fc.oneof(aPage, anImportedPage),
        fc.array(fc.tuple(fc.nat(799), fc.integer({ min: 0, max: 128 })), { maxLength: 5 }),
        (counts, changes) => {
          const wanted = [...counts];
          for (const [index, live] of changes) {
            while (wanted.length <= index) wanted.push(0);
            wanted[index] = live;
          }
          const packed = packBytes(counts);
          const single = changes.reduce((page, change) => withBytes(page, [change]), packed);
          expect([...unpackBytes(withBytes(packed, changes))]).toEqual(wanted);
          expect([...unpackBytes(single)]).toEqual(wanted);
        },
      ),
      randomRuns(100),
    );
  });

  it('take ten bytes when all blocks are full, and never more than one a block and one', () => {
    expect(packBytes(new Uint8Array(800).fill(128)).length).toBeLessThanOrEqual(10);
    fc.assert(
      fc.property(aPage, (counts) => {
        expect(packBytes(counts).length).toBeLessThanOrEqual(counts.length + 1);
      }),
      randomRuns(100),
    );
    expect(packBytes(new Uint8Array(0))).toEqual(noBytes);
  });
});
