import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callbacksAtMost, reportCall } from '../../../../shared/dialing/rules/call-decisions.ts';
import { forgetCalls, isForgotten } from '../../../../shared/dialing/rules/contact-calls.ts';
import {
  blockContact,
  type CallResult,
  canBe,
  deferContact,
  dropContact,
  extendLease,
  leaseContact,
  leaveOutContact,
  moves,
  newTaskContact,
  placeContact,
  recallContact,
  releaseContact,
  selectContact,
  type TaskContact,
  type TaskContactState,
  type WaitingContact,
} from '../../../../shared/dialing/rules/task-contact.ts';
import { contactStanding } from '../../../../shared/dialing/rules/task-contact-views.ts';

const now = 1000;
const hours = (due: number) => ({ due, reason: 'HOURS' }) as const;
const rules = { maxDialCount: 3, callInterval: 0 };
const waiting = newTaskContact({ id: 'task', dataSourceId: 'source', priority: 1 }, 0, 0);
const leased = leaseContact({ ...waiting, version: 1 }, { nonce: 'lease', until: now + 1 });
/** Each with a live lease whose call was not reported. */
const contacts: Record<TaskContactState, TaskContact> = {
  waiting: { ...waiting, version: 1, lease: leased.lease },
  leased,
  final: { ...leased, state: 'final', outcome: 'failed', recallNumber: 0 },
  blocked: { ...leased, state: 'blocked', blockReason: 'LIST' },
  notSelected: { ...leased, state: 'notSelected' },
  gone: { ...leased, state: 'gone' },
};
const lapsed = (contact: TaskContact): TaskContact => ({
  ...contact,
  lease: { nonce: 'lease', until: now, isBeforeRecall: false },
});
const report = (contact: TaskContact, isDeleted = false, attempts = 0) => {
  const result = { outcome: 'failed', reason: null, duration: 0 } as const;
  const decision = reportCall({ ...contact, attempts }, 'lease', result, {
    rules,
    isTaskClosed: false,
    taskEnd: Number.POSITIVE_INFINITY,
    isDeleted,
    recallNumber: 0,
    now,
  });
  return decision.is === 'counted' ? decision.contact : undefined;
};
const perform: Record<keyof typeof moves, (contact: TaskContact) => (TaskContact | undefined)[]> = {
  leased: (contact) => [
    canBe('leased', contact) ? leaseContact(contact, { nonce: 'next', until: now + 1 }) : undefined,
  ],
  released: (contact) => [releaseContact(contact, 'lease', now, 0)],
  extended: (contact) => [extendLease(contact, 'lease', now, now + 2)],
  reported: (contact) => [report(contact), report(contact, true), report(contact, false, 2)],
  leftOut: (contact) =>
    canBe('leftOut', contact)
      ? [leaveOutContact(contact, 0), leaveOutContact({ ...contact, outcome: 'noAnswer' }, 0)]
      : [],
  selected: (contact) => [
    canBe('selected', contact) ? selectContact(contact, { fields: {} }, now) : undefined,
  ],
  blocked: (contact) => [canBe('blocked', contact) ? blockContact(contact, 'LIST') : undefined],
  deferred: (contact) => [canBe('deferred', contact) ? deferContact(contact, hours(now), now) : undefined],
  reconsidered: (contact) => [
    canBe('reconsidered', contact) ? placeContact(contact, hours(now), now) : undefined,
  ],
  recalled: (contact) => [recallContact(lapsed(contact), rules, { priority: 1, time: now }, now)],
  gone: (contact) => [canBe('gone', contact) ? dropContact(contact) : undefined],
};
const performed = (move: keyof typeof moves, contact: TaskContact): TaskContactState[] =>
  perform[move](contact).flatMap((after) => after?.state ?? []);

const documented = (): Map<string, [from: string, to: string]> => {
  const text = readFileSync(new URL('../../../../docs/dialing-reference.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split("### A contact's way through a task");
  const [, , ...rows] = section.trim().split('\n\n')[0]!.split('\n');
  return new Map(
    rows.map((line) => {
      const [, move = '', from = '', to = ''] = line.split('|').map((cell) => cell.trim());
      return [move, [from, to]];
    }),
  );
};

describe('the moves of a task contact', () => {
  it('are those that the documentation names, from and to the states it names', () => {
    const rows = documented();
    expect([...rows.keys()]).toEqual(Object.keys(moves));
    for (const [move, { from, to }] of Object.entries(moves)) {
      const [fromWords, toWords] = rows.get(move)!;
      for (const state of from) expect(fromWords, move).toContain(state);
      for (const state of to) expect(toWords, move).toContain(state);
    }
  });

  it('happen from the states of the table, to the states of the table, and no others', () => {
    for (const move of Object.keys(moves) as (keyof typeof moves)[]) {
      const reached = new Set<TaskContactState>();
      for (const contact of Object.values(contacts)) {
        const after = performed(move, contact);
        const isAllowed = (moves[move].from as readonly TaskContactState[]).includes(contact.state);
        expect(after.length > 0, `${contact.state} is ${move}`).toBe(isAllowed);
        for (const state of after) reached.add(state);
      }
      expect([...reached].sort(), move).toEqual([...moves[move].to].sort());
    }
  });

  it('leave a blocked or deleted contact as it is when a late result comes', () => {
    for (const state of ['blocked', 'gone'] as const)
      expect(report(contacts[state])).toMatchObject({ state, callCount: 1, outcome: 'failed' });
  });
});

const second = 1000;
/** In the middle of a long story: no two of its figures are the same. */
const known: WaitingContact = {
  ...waiting,
  ...{ priority: 4, attempts: 2, outcome: 'noAnswer', lastCallTime: 600, callCount: 7, duration: 8.5 },
  ...{ callbacks: 3, version: 11, due: 1200, isCallback: true, reason: 'HOURS', deferTime: 60 },
  own: { reason: 'CALLBACK', until: 50 },
  lease: { nonce: 'lease', until: 1300, isBeforeRecall: false, calledNumber: '+491' },
};
const { own: _, deferTime: __, ...inLine } = known;
const inCall = { ...inLine, state: 'leased', isInLine: true, lease: known.lease! } as const;
const failed: CallResult = { outcome: 'failed', reason: 'busy', duration: 0.25 };
const circumstances = {
  rules: { maxDialCount: 4, callInterval: 2 },
  isTaskClosed: false,
  taskEnd: 9 * second,
  isDeleted: false,
  recallNumber: 5,
  now,
};
const decide = (contact: TaskContact, result: Partial<CallResult> = {}, differing = {}) =>
  reportCall(contact, 'lease', { ...failed, ...result }, { ...circumstances, ...differing });
const busy = { nonce: 'earlier', ...failed, time: 600, final: false };
const retryRules = [{ reasons: ['busy'], attempts: 2, waitSeconds: 1 }];
const standingAt = (contact: TaskContact, time: number) =>
  contactStanding(
    contact,
    { ...rules, status: 1 },
    { recallNumber: 0, recalls: [], review: undefined },
    time,
  );
const beforeRecall = { ...known, lease: { ...known.lease!, isBeforeRecall: true } };
const refused = (word: string) => ({ is: 'refused', word });
/** What a call changes, and each result on top of it. */
const called = { attempts: 3, outcome: 'failed', lastCallTime: now, callCount: 8, duration: 8.75 };
const counted = (changes: object) => ({ is: 'counted', contact: { ...called, ...changes } });

it.each<[string, unknown, object | undefined]>([
  ['a release leaves it in its old place', releaseContact(inCall, 'lease', now, 1100), { due: 1200 }],
  ['a release puts it off', releaseContact(inCall, 'lease', now, 1250), { due: 1250 }],
  ['a release needs its own lease', releaseContact(inCall, 'other', now, 0), undefined],
  ['a release needs a live lease', releaseContact(inCall, 'lease', 1300, 0), undefined],
  ['an extension never shortens', extendLease(inCall, 'lease', now, 1299), { lease: { until: 1300 } }],
  ['an extension needs its own lease', extendLease(inCall, 'other', now, 1400), undefined],
  [
    'a recall forgets what the contact waited for',
    recallContact(known, { callInterval: 2 }, { priority: 9, time: 700 }, now),
    {
      ...{ priority: 9, attempts: 0, due: 2600, isCallback: false, reason: 'RETRY', deferTime: undefined },
      lease: { isBeforeRecall: true, calledNumber: '+491' },
    },
  ],
  [
    'a call in progress is not recalled',
    recallContact(inCall, rules, { priority: 9, time: 700 }, now),
    undefined,
  ],
  [
    'who was deferred twice is due as before the first time',
    deferContact(known, hours(1500), 900),
    { due: 1500, own: { until: 50 }, deferTime: 900 },
  ],
  [
    'who was due before is so again',
    deferContact(inCall, hours(1500), 900),
    { own: { until: 1200 }, deferTime: 900 },
  ],
  [
    'who is selected again is due at once',
    selectContact({ ...inLine, state: 'notSelected' } as never, { fields: { timeZone: 'UTC' } }, now),
    { due: now, isCallback: false, zone: 'UTC' },
  ],
  [
    'who was not reached within a lease may be called since its end',
    standingAt(inCall, 1300),
    { is: 'callback', held: [] },
  ],
  [
    'who was deferred says since when',
    standingAt(known, now),
    {
      held: [
        { reason: 'CALLBACK', until: 50 },
        { reason: 'HOURS', until: 1200 },
      ],
      deferTime: 60,
    },
  ],
  ['who was deferred and is due waits no more', standingAt(known, 1200), { deferTime: null }],
  ['who is left out keeps its outcome', leaveOutContact(known, 5), { outcome: 'noAnswer', recallNumber: 5 }],
  [
    'a failed call is followed by another',
    decide(known),
    counted({ state: 'waiting', due: 3 * second, isCallback: false, reason: 'RETRY', deferTime: undefined }),
  ],
  [
    'the last attempt is final',
    decide({ ...known, attempts: 3 }),
    counted({ attempts: 4, state: 'final', recallNumber: 5 }),
  ],
  [
    'a success is final',
    decide(known, { outcome: 'success' }),
    counted({ outcome: 'success', state: 'final' }),
  ],
  ['a wish is final', decide(known, { doNotCall: true }), { isExcluded: true, contact: { state: 'final' } }],
  ['a deleted contact is gone', decide(known, {}, { isDeleted: true }), counted({ state: 'gone' })],
  [
    'a result from before a recall takes no attempt',
    decide({ ...beforeRecall, own: { reason: 'RETRY', until: 4000 } }),
    counted({ attempts: 2, state: 'waiting', due: 4000 }),
  ],
  [
    'a result from before a recall keeps the interval',
    decide(beforeRecall),
    counted({ attempts: 2, state: 'waiting', due: 3 * second }),
  ],
  [
    'a rule for a reason counts the calls since a recall',
    decide(
      { ...known, attempts: 0, results: [busy, busy] },
      {},
      { rules: { ...circumstances.rules, retryRules } },
    ),
    counted({ attempts: 1, state: 'waiting', due: 2 * second }),
  ],
  [
    'a callback is agreed beyond the attempts',
    decide({ ...known, attempts: 3 }, { callbackTime: 5 * second }),
    counted({
      ...{ attempts: 4, state: 'waiting', due: 5 * second, isCallback: true, callbacks: 4 },
      deferTime: undefined,
    }),
  ],
  [
    'a callback of a while ago is due now',
    decide(known, { callbackTime: now - 60 * second }),
    counted({ due: now }),
  ],
  [
    'a callback of a deleted contact is none',
    decide(known, { callbackTime: 5 * second }, { isDeleted: true }),
    counted({ state: 'gone', callbacks: 3 }),
  ],
  [
    'the last callback is agreed',
    decide({ ...known, callbacks: callbacksAtMost - 1 }, { callbackTime: 5 * second }),
    counted({ callbacks: callbacksAtMost }),
  ],
  [
    'there are not more callbacks',
    decide({ ...known, callbacks: callbacksAtMost }, { callbackTime: 5 * second }),
    refused('TOO_MANY_CALLBACKS'),
  ],
  [
    'a callback may be just before the end',
    decide(known, { callbackTime: 9 * second - 1 }),
    { is: 'counted' },
  ],
  ['a callback is not at the end', decide(known, { callbackTime: 9 * second }), refused('CALLBACK_TOO_LATE')],
  [
    'another lease was given',
    decide({ ...known, lease: { ...known.lease!, nonce: 'next' } }),
    refused('LEASE_LOST'),
  ],
  ['a closed task takes no result', decide(known, {}, { isTaskClosed: true }), refused('TASK_CLOSED')],
])('%s', (_, after, expected) => {
  if (expected === undefined) expect(after).toBeUndefined();
  else expect(after).toMatchObject(expected);
});

it('a callback is at most a minute in the past', () => {
  expect(() => decide(known, { callbackTime: now - 60 * second - 1 })).toThrow('past');
});

it('a result that is sent again is the same in every part, or refused', () => {
  const sent: CallResult = { ...failed, callbackTime: 5 * second };
  const first = decide(known, sent);
  const contact = first.is === 'counted' ? first.contact : known;
  const closed = { isTaskClosed: true, now: 99 * second };
  expect(decide(contact, sent, closed)).toMatchObject({
    is: 'repeated',
    reported: { time: now, final: false },
  });
  const others: Partial<CallResult>[] = [
    { outcome: 'noAnswer' },
    { reason: null },
    { duration: 0.5 },
    { callbackTime: 6 * second },
    { doNotCall: true },
  ];
  for (const other of others)
    expect(decide(contact, { ...sent, ...other }, closed)).toMatchObject(refused('ALREADY_REPORTED'));
});

it('who is forgotten keeps when calls ended, and a lease that was not reported', () => {
  const reported = { nonce: 'lease', ...failed, time: 900, final: false };
  const earlier = [{ nonce: 'first', time: 100 }];
  const ended = { ...known, earlier, results: [reported] };
  const times = [...earlier, { nonce: 'lease', time: 900 }];
  const kept = { ...known.lease, calledNumber: undefined, isErased: true };
  expect(forgetCalls(ended)).toEqual({ ...ended, results: [], earlier: times, lease: null });
  expect(forgetCalls(known)).toEqual({ ...known, lease: kept });
  expect(forgetCalls({ ...inCall, results: [reported] })).toMatchObject({ results: [], lease: kept });
  expect([ended, known, forgetCalls(ended), forgetCalls(known)].map(isForgotten)).toEqual([
    ...[false, false],
    ...[true, true],
  ]);
  expect(isForgotten({ ...forgetCalls(known), results: [reported] })).toBe(false);
});
