import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  blockContact,
  canBe,
  deferContact,
  dropContact,
  extendLease,
  leaseContact,
  leaveOutContact,
  moves,
  newTaskContact,
  recallContact,
  reconsiderContact,
  releaseContact,
  reportCall,
  selectContact,
  type TaskContact,
  type TaskContactState,
} from '../../../../shared/domain/dialing/task-contact.ts';

const now = 1000;
const rules = { maxDialCount: 3, callInterval: 0 };
const waiting = newTaskContact({ id: 'task', dataSourceId: 'source', priority: 1 }, 0, 0);
const leased = leaseContact({ ...waiting, version: 1 }, { nonce: 'lease', until: now + 1 });
/** Each with a live lease whose call was not reported. */
const contacts: Record<TaskContactState, TaskContact> = {
  waiting: { ...leased, state: 'waiting' },
  leased,
  final: { ...leased, state: 'final', outcome: 'failed', recallNumber: 0 },
  blocked: { ...leased, state: 'blocked' },
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
  selected: (contact) => [canBe('selected', contact) ? selectContact(contact, now) : undefined],
  blocked: (contact) => [canBe('blocked', contact) ? blockContact(contact) : undefined],
  deferred: (contact) => [canBe('deferred', contact) ? deferContact(contact, now, now) : undefined],
  reconsidered: (contact) => [
    reconsiderContact({ ...contact, due: now + 1, deferral: { from: 0, time: 0 } } as TaskContact, now),
  ],
  recalled: (contact) => [recallContact(lapsed(contact), rules, { priority: 1, time: now }, now)],
  gone: (contact) => [canBe('gone', contact) ? dropContact(contact) : undefined],
};
const performed = (move: keyof typeof moves, contact: TaskContact): TaskContactState[] =>
  perform[move](contact).flatMap((after) => after?.state ?? []);

const documented = (): Map<string, [from: string, to: string]> => {
  const text = readFileSync(new URL('../../../../docs/dialing.md', import.meta.url), 'utf8');
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
