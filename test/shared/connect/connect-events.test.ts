import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributesOf, internationalNumber } from '../../../shared/connect/connect-instance.ts';
import { endOfCall, outcomeOf } from '../../../shared/connect/contact-results.ts';
import { contactEvent } from '../../support/aws/contact-events.ts';
import { randomRuns } from '../../support/run/extent.ts';

describe('contact events of Amazon Connect', () => {
  it('tell the end of a call in the shape of the administrator guide', () => {
    expect(endOfCall(contactEvent().detail)).toEqual({
      contactId: 'contact-1',
      initiated: Date.UTC(2026, 4, 4, 10, 0, 0),
      connected: Date.UTC(2026, 4, 4, 10, 0, 2),
      disconnected: Date.UTC(2026, 4, 4, 10, 0, 44),
      reason: undefined,
    });
  });

  it('tell it in the spelling with capitals, too', () => {
    const detail = contactEvent().detail as Record<string, unknown>;
    const capitals = Object.fromEntries(
      Object.entries(detail).map(([name, value]) => [`${name[0]?.toUpperCase()}${name.slice(1)}`, value]),
    );
    expect(endOfCall(capitals)).toEqual(endOfCall(detail));
  });

  it('tell an unanswered call by a time that never was, or by none', () => {
    const never = '1970-01-01T00:00:00.001Z';
    expect(endOfCall(contactEvent({ connectedToSystemTimestamp: never }).detail)?.connected).toBeUndefined();
    expect(
      endOfCall(contactEvent({ connectedToSystemTimestamp: undefined }).detail)?.connected,
    ).toBeUndefined();
  });

  it.each([
    { eventType: 'CONNECTED_TO_SYSTEM' },
    { eventType: 'COMPLETED' },
    { eventType: 'SOMETHING_NEW' },
    { channel: 'CHAT' },
    { initiationMethod: 'INBOUND' },
    { initiationMethod: 'TRANSFER' },
    { contactId: undefined },
  ])('are none of ours with %j', (change) => {
    expect(endOfCall(contactEvent(change).detail)).toBeUndefined();
  });
});

describe('outcomes', () => {
  const times = { connected: 10_000, disconnected: 52_400 };

  it.each([
    ['CUSTOMER_DISCONNECT', { outcome: 'success', duration: 42 }],
    ['AGENT_DISCONNECT', { outcome: 'success', duration: 42 }],
    ['CONTACT_FLOW_DISCONNECT', { outcome: 'success', duration: 42 }],
    ['SOME_NEW_REASON', { outcome: 'success', duration: 42 }],
    ['TELECOM_PROBLEM', { outcome: 'failed', reason: 'networkError', duration: 0 }],
    ['TELECOM_BUSY', { outcome: 'noAnswer', reason: 'busy', duration: 0 }],
  ])('of a call that was connected and ended by %s', (reason, outcome) => {
    expect(outcomeOf({ ...times, reason })).toEqual(outcome);
  });

  it.each([
    ['TELECOM_BUSY', 'noAnswer', 'busy'],
    ['TELECOM_UNANSWERED', 'noAnswer', 'noAnswer'],
    ['TELECOM_TIMEOUT', 'noAnswer', 'noAnswer'],
    ['TELECOM_ORIGINATOR_CANCEL', 'noAnswer', 'other'],
    ['CUSTOMER_DISCONNECT', 'noAnswer', undefined],
    [undefined, 'noAnswer', undefined],
    ['TELECOM_NUMBER_INVALID', 'failed', 'invalidNumber'],
    ['TELECOM_POTENTIAL_BLOCKING', 'failed', 'rejected'],
    ['OUTBOUND_DESTINATION_ENDPOINT_ERROR', 'failed', 'unreachable'],
    ['OUTBOUND_RESOURCE_ERROR', 'failed', 'networkError'],
    ['OUTBOUND_ATTEMPT_FAILED', 'failed', 'networkError'],
    ['EXPIRED', 'failed', 'other'],
  ])('of a call that nobody took, ended by %s: %s, for the reason %s', (ending, outcome, reason) => {
    expect(outcomeOf({ connected: undefined, disconnected: 9000, reason: ending })).toEqual({
      outcome,
      reason,
      duration: 0,
    });
  });

  it('are none while the call goes on', () => {
    expect(outcomeOf({ connected: 1, disconnected: undefined, reason: undefined })).toBeUndefined();
  });
});

describe('attributes of a call', () => {
  const call = {
    callId: '4k9x2m7q8t3vbn5c-2s-h7w2k9',
    taskId: '4k9x2m7q8t3vbn5c',
    contactId: '7d2h6w9rk4mz3pqa-2s',
    dataSourceId: '7d2h6w9rk4mz3pqa',
    phoneNumber: '+4930123456',
    attempt: 2,
    priority: 3,
    leaseExpireTime: 0,
    callerNumber: null,
    task: { taskName: 'Renewals', callSettings: {} },
  };

  it('carry the ids and the fields under names that Connect allows', () => {
    const fields = { customerName: 'Li Wei', 'first name': 'Li', 'first-name': 'Wei', 'first.name': 'x' };
    expect(attributesOf({ ...call, fields })).toEqual({
      outbound_call_id: call.callId,
      outbound_task_id: call.taskId,
      outbound_contact_id: call.contactId,
      outbound_attempt: '2',
      customerName: 'Li Wei',
      first_name: 'Li',
      'first-name': 'Wei',
      first_name_2: 'x',
    });
  });

  it('never lose the id of the call, whatever the fields are, and never grow too large', () => {
    const fields = fc.dictionary(
      fc.oneof(fc.string({ minLength: 1, maxLength: 64 }), fc.constantFrom('outbound_call_id', '__proto__')),
      fc.oneof(fc.string(), fc.constant('ü'.repeat(9000))),
    );
    fc.assert(
      fc.property(fields, (some) => {
        const attributes = attributesOf({ ...call, fields: some });
        expect(attributes.outbound_call_id).toBe(call.callId);
        const entries = Object.entries(attributes);
        expect(entries.every(([name]) => /^[A-Za-z0-9_-]+$/.test(name))).toBe(true);
        const size = entries.reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
        expect(size).toBeLessThanOrEqual(32_768);
      }),
      randomRuns(100),
    );
  });
});

describe('destinations', () => {
  it.each([
    ['+4930123456', '', '+4930123456'],
    ['+4930123456', '+86', '+4930123456'],
    ['13800138000', '+86', '+8613800138000'],
    ['13800138000', '', undefined],
    ['+0123456', '', undefined],
    ['123456789012345', '+86', undefined],
  ])('%s with the prefix "%s" is %s', (number, prefix, destination) => {
    expect(internationalNumber(number, prefix)).toBe(destination);
  });
});
