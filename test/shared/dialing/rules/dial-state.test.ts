import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callId, parseCallId } from '../../../../shared/calls/rules/call.ts';
import { contactStatus } from '../../../../shared/contacts/rules/contact.ts';
import {
  fairShares,
  intakeAfter,
  isBeingLeased,
  isDrained,
  isShared,
  nextMoveSize,
  withFailedRecalled,
  withReview,
  withTakenUp,
} from '../../../../shared/dialing/rules/dial-state.ts';
import { idFrom } from '../../../../shared/platform/rules/names.ts';
import { emptyTally } from '../../../../shared/tasks/rules/task-views.ts';
import { randomRuns } from '../../../support/run/extent.ts';

describe('a result', () => {
  it('shows as the contact status of the contract', () => {
    expect(contactStatus).toEqual({ notDialed: 0, success: 1, failed: 2, noAnswer: 3, inCall: 4 });
  });
});

describe('the calls that several tasks share', () => {
  it('are split evenly, and what one task cannot use goes to the others', () => {
    expect(fairShares(10, [3000, 40, 40])).toEqual([4, 3, 3]);
    expect(fairShares(10, [3000, 1, 2])).toEqual([7, 1, 2]);
    expect(fairShares(2, [5, 5, 5])).toEqual([1, 1, 0]);
    expect(fairShares(5, [])).toEqual([]);
  });

  it('are as many as possible, and no task has two more than another that has candidates left', () => {
    fc.assert(
      fc.property(fc.nat({ max: 100 }), fc.array(fc.nat({ max: 30 })), (limit, candidates) => {
        const shares = fairShares(limit, candidates);
        const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
        expect(sum(shares)).toBe(Math.min(limit, sum(candidates)));
        for (const [i, share] of shares.entries()) {
          expect(share).toBeLessThanOrEqual(candidates[i]!);
          if (share < candidates[i]!) expect(Math.max(...shares)).toBeLessThanOrEqual(share + 1);
        }
      }),
      randomRuns(100),
    );
  });
});

describe('a task', () => {
  const dial = { claimed: 3, recallNumber: 1 };
  const ended = { success: 1, failed: 2, noAnswer: 0, blocked: 0, notSelected: 0 };
  const done = { settled: 3, tally: { ...emptyTally, callCount: 1 }, ended, failed: new Map([[1, 2]]) };
  it.each([
    ['every contact is settled', done, true],
    ['a contact is open', { ...done, settled: 2 }, false],
    ['nobody was called', { ...done, tally: emptyTally }, false],
    ['nobody was to be called', { ...done, tally: emptyTally, ended: { ...ended, blocked: 3 } }, true],
    ['a recall waits to be queued', { ...done, failed: new Map([[0, 1]]) }, false],
  ])('when %s', (_, progress, drained) => {
    expect(isDrained(dial, progress)).toBe(drained);
  });
});

describe('a call id', () => {
  const call = fc.record({
    taskId: fc.uint8Array({ minLength: 16, maxLength: 16 }).map(idFrom),
    seq: fc.nat({ max: 999_999_999 }),
    nonce: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((random) => idFrom(random).slice(0, 10)),
  });

  it('reads back as what it was made of', () => {
    fc.assert(
      fc.property(call, (made) => {
        expect(parseCallId(callId(made))).toEqual(made);
      }),
      randomRuns(100),
    );
  });

  it('is unknown in any other form', () => {
    const taskId = '0123456789abcdef';
    const strange = [
      '',
      'x',
      taskId,
      `${taskId}-0`,
      `${taskId}--x`,
      `${taskId}-01-x`,
      `${taskId}-0-X`,
      `${taskId}-0-Xx`,
      `${taskId}-0-xX`,
      `${taskId}-0-x-y`,
    ];
    for (const id of [...strange, `${taskId}-zzzzzz-x`, `${taskId.toUpperCase()}-0-x`]) {
      expect(parseCallId(id), id).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (id) => {
        const parsed = parseCallId(id);
        if (parsed) expect(callId(parsed)).toBe(id);
      }),
      randomRuns(100),
    );
  });
});

const dial = { taskId: '', cursor: 9, visibleTo: 9, claimed: 2, ahead: 0, passed: 3, recallNumber: 0 };
const idle = { ...dial, recallPriorities: [], recalls: [], version: 1 };
const reviewed = { ...idle, review: { from: 5, left: 4 } };

it('a contact that was passed is taken up from those that were passed, or from those that the review has left', () => {
  const after = withTakenUp(reviewed, [1, 6, 7]);
  expect(after).toEqual({ ...reviewed, claimed: 5, passed: 2, review: { from: 5, left: 2 } });
});

it('a review begins again with all that were passed, and with those that the last one has left', () => {
  const begun = (left: number) => ({ ...idle, passed: 0, review: { from: 0, left, settled: 1, claimed: 2 } });
  expect(withReview(idle, 1)).toEqual(begun(3));
  expect(withReview(reviewed, 1)).toEqual(begun(7));
  expect(withReview({ ...idle, cursor: 0 }, 1)).toEqual({ ...idle, cursor: 0 });
});

it.each([1, 2])(
  'a recall of all that failed keeps earlier ones with contacts to queue: those of number %d',
  (failed) => {
    const recalls = [0, 2, 3].map((upTo) => ({ upTo, priority: 5, time: upTo }));
    const after = withFailedRecalled({ ...idle, recalls }, new Map([[failed, 1]]), 5, {
      priority: 1,
      time: 9,
    });
    expect(after).toMatchObject({ recallNumber: 5, recallPriorities: [1] });
    expect(after.recalls).toEqual([recalls[1], { upTo: 4, priority: 1, time: 9 }]);
  },
);

it.each([
  [undefined, false, 32],
  [undefined, true, 64],
  [{ size: 128, time: 9000 }, true, 128],
  [{ size: 128, time: 9000 }, false, 128],
  [{ size: 128, time: 8999 }, false, 64],
  [{ size: 48, time: 0 }, false, 32],
])(
  'the cursor moves further while requests meet, and less when moves are rare: %o, %s',
  (stretch, isContested, size) => {
    expect(nextMoveSize({ ...idle, lastMove: stretch }, 32, isContested, 10_000)).toBe(size);
  },
);

describe('an intake', () => {
  const intake = { taskId: '', checkTime: 0, seqs: [3, 4] };
  it.each([
    [undefined, false, false],
    [{ count: 1, time: 10_000 }, true, false],
    [{ count: 2, time: 7001 }, false, true],
    [{ count: 3, time: 7001 }, false, true],
    [{ count: 2, time: 7000 }, false, false],
  ])('that was handed out so far: %o', (handedOut, shared, leased) => {
    const handed = { ...intake, ...(handedOut && { handedOut }) };
    expect([isShared(handed), isBeingLeased(handed, 10_000)]).toEqual([shared, leased]);
  });

  it('stays while a contact may be called, and then until the first lease ends', () => {
    const handed = { ...intake, handedOut: { count: 2, time: 0 } };
    const open = { intake: handed, open: [{ seq: 3 }], inCall: new Map([[4, 80]]) };
    expect(intakeAfter(open, new Map(), new Set())).toBe(handed);
    expect(intakeAfter(open, new Map([[3, 90]]), new Set())).toEqual({ ...intake, checkTime: 80 });
    expect(intakeAfter(open, new Map(), new Set([3]))).toEqual({ ...intake, checkTime: 80, seqs: [4] });
    expect(intakeAfter({ ...open, inCall: new Map() }, new Map(), new Set([3]))).toBeUndefined();
  });
});
