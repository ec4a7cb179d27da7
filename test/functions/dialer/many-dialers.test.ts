import { describe, expect, it } from 'vitest';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { sizeOf } from '../../support/run/extent.ts';
import { succeeded, useApi } from '../../support/service/api.ts';

const dialers = 16;
const outcomes = ['success', 'failed', 'noAnswer', 'success', 'success'] as const;

/** The same for the same contact, whichever dialer gets it. */
const outcomeOf = (phoneNumber: string) => outcomes[Number(phoneNumber) % outcomes.length] as string;
const durationOf = (phoneNumber: string) => Number(phoneNumber) % 100;

describe.each(engines)('many dialers on $name', (engine) => {
  const dialing = new DialingApi(useApi({ engine }));
  const contacts = sizeOf(160, engine.sized(2000, 40));

  it(`${dialers} at once call each of ${contacts} contacts exactly once and count exactly`, async () => {
    const { id } = await dialing.aRunningTask(contacts, { maxDialCount: 1 });
    const called: string[] = [];
    const states = new Set<number>();
    const dialer = async () => {
      for (;;) {
        const calls = await dialing.lease({ taskId: id, limit: 25 });
        if (calls.length === 0) return;
        for (const { callId, phoneNumber } of calls) {
          called.push(phoneNumber);
          const answer = await dialing.report(callId, outcomeOf(phoneNumber), durationOf(phoneNumber));
          states.add(answer.taskStatus as number);
        }
      }
    };
    await Promise.all(Array.from({ length: dialers }, dialer));

    expect(called).toHaveLength(contacts);
    expect(new Set(called).size).toBe(contacts);
    // Whoever reports beside the last may see its end, too: it ends once all the same.
    expect(states).toEqual(new Set([1, 4]));
    const { rows } = succeeded(await dialing.api.get(`/api/task/${id}/history`));
    expect(rows.map(({ operation }) => operation)).toEqual(['complete', 'publish', 'add']);
    const count = (outcome: string) => called.filter((phone) => outcomeOf(phone) === outcome).length;
    expect(await dialing.statistics(id)).toMatchObject({
      status: 4,
      totalContacts: contacts,
      callCount: contacts,
      successCount: count('success'),
      failCount: count('failed'),
      noAnswerCount: count('noAnswer'),
      totalDuration: called.reduce((sum, phone) => sum + durationOf(phone), 0),
      dialRate: 1,
    });
    const exported = [...(await dialing.exported(id)).values()];
    expect(exported).toHaveLength(contacts);
    expect(exported.every(({ callCount }) => callCount === '1')).toBe(true);
  });
});
