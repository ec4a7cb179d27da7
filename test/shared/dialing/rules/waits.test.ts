import { describe, expect, it } from 'vitest';
import { mayCall } from '../../../../shared/dialing/rules/waits.ts';

const at = (iso: string) => Date.parse(`${iso}:00Z`);
const schedule = { dailyStartTime: '09:00', dailyEndTime: '18:00' };
const now = at('2024-03-04T10:00');
const phoneNumber = '13800138000';
const facts = { schedule, serviceZone: 'UTC', contact: { phoneNumber, fields: {} }, now };
const inTokyo = { phoneNumber, fields: { timeZone: 'Asia/Tokyo' } };
const tomorrow = { reason: 'DAILY_LIMIT', until: at('2024-03-05T00:00') } as const;
const retry = { reason: 'RETRY', until: at('2024-03-05T10:00') } as const;
const filter = [{ field: 'plan', is: 'equal', value: 'gold' }] as const;

describe('a contact whose turn has come', () => {
  it.each([
    ['is called within the hours', facts, { is: 'call' }],
    ['is gone when it was deleted', { ...facts, contact: undefined }, { is: 'gone' }],
    [
      'is blocked when its number is on a list',
      { ...facts, isExcluded: true },
      { is: 'blocked', reason: 'LIST' },
    ],
    [
      'is blocked for its emergency number rather than for a list',
      { ...facts, contact: { phoneNumber: '+112', fields: {} }, isExcluded: true },
      { is: 'blocked', reason: 'EMERGENCY' },
    ],
    ['is gone rather than blocked', { ...facts, contact: undefined, isExcluded: true }, { is: 'gone' }],
    [
      'is called when it matches the filter',
      { ...facts, filter: [...filter], contact: { phoneNumber, fields: { plan: 'Gold' } } },
      { is: 'call' },
    ],
    ['is not selected when it does not', { ...facts, filter: [...filter] }, { is: 'notSelected' }],
    [
      'is not selected rather than blocked, or put off',
      { ...facts, filter: [...filter], isExcluded: true, now: at('2024-03-04T08:00') },
      { is: 'notSelected' },
    ],
    [
      'is gone rather than not selected',
      { ...facts, filter: [...filter], contact: undefined },
      { is: 'gone' },
    ],
    [
      'waits for the opening',
      { ...facts, now: at('2024-03-04T08:00') },
      {
        is: 'later',
        holds: [{ reason: 'HOURS', until: at('2024-03-04T09:00') }],
        place: { due: at('2024-03-04T08:00'), reason: 'HOURS' },
      },
    ],
    [
      'waits for the opening in its own zone',
      { ...facts, contact: inTokyo },
      {
        is: 'later',
        holds: [{ reason: 'HOURS', until: at('2024-03-05T00:00') }],
        place: { due: at('2024-03-05T00:00'), reason: 'HOURS', zone: 'Asia/Tokyo' },
      },
    ],
    [
      'waits for the opening in line, where other contacts have zones of their own',
      { ...facts, hasOwnZones: true, now: at('2024-03-04T08:00') },
      {
        is: 'later',
        holds: [{ reason: 'HOURS', until: at('2024-03-04T09:00') }],
        place: { due: at('2024-03-04T09:00'), reason: 'HOURS', zone: '' },
      },
    ],
    [
      'follows the hours of the task where its zone is none',
      { ...facts, contact: { phoneNumber, fields: { timeZone: 'nowhere' } } },
      { is: 'call' },
    ],
    [
      'waits for the first opening of the day on which its number may be called again',
      { ...facts, limits: [tomorrow] },
      {
        is: 'later',
        holds: [tomorrow, { reason: 'HOURS', until: at('2024-03-05T09:00') }],
        place: { due: at('2024-03-05T00:00'), reason: 'DAILY_LIMIT' },
      },
    ],
    [
      'waits for what ends last, and tells of all that holds it',
      { ...facts, own: retry, limits: [tomorrow], now: at('2024-03-04T08:00') },
      {
        is: 'later',
        holds: [{ reason: 'HOURS', until: at('2024-03-04T09:00') }, tomorrow, retry],
        place: { due: at('2024-03-05T10:00'), reason: 'RETRY' },
      },
    ],
    [
      'waits without an end where the task ends before its number is free',
      { ...facts, schedule: { ...schedule, callUntil: '2024-03-04 20:00' }, limits: [tomorrow] },
      {
        is: 'later',
        holds: [tomorrow, { reason: 'HOURS', until: null }],
        place: { due: at('2024-03-05T00:00'), reason: 'DAILY_LIMIT' },
      },
    ],
    [
      'is checked again at the end of its task, where the hours of its zone do not open before',
      {
        ...facts,
        contact: inTokyo,
        schedule: { ...schedule, weekdays: [], callUntil: '2024-03-06 20:00' },
      },
      {
        is: 'later',
        holds: [{ reason: 'HOURS', until: null }],
        place: { due: at('2024-03-06T20:00'), reason: 'HOURS', zone: 'Asia/Tokyo' },
      },
    ],
    [
      'is checked again after 400 days when they never open',
      { ...facts, contact: inTokyo, schedule: { ...schedule, weekdays: [] } },
      {
        is: 'later',
        holds: [{ reason: 'HOURS', until: null }],
        place: { due: now + 400 * 24 * 3600 * 1000, reason: 'HOURS', zone: 'Asia/Tokyo' },
      },
    ],
  ])('%s', (_, known, decision) => {
    expect(mayCall(known)).toEqual(decision);
  });
});
