import type { LeasedCall } from '../domain/dialing/call.ts';

/** By this attribute a call is recognised when Connect reports its end. */
export const callIdAttribute = 'outbound_call_id';

/** UTF-8 bytes of all names and values together. */
const sizeLimit = 32_768;

const sizeOf = (name: string, value: string) => Buffer.byteLength(name) + Buffer.byteLength(value);

/** Connect allows letters, digits, dash and underscore. A name that is in use gets a number. */
const freeName = (field: string, taken: Readonly<Record<string, string>>): string => {
  const name = field.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (!Object.hasOwn(taken, name)) return name;
  for (let number = 2; ; number++) {
    if (!Object.hasOwn(taken, `${name}_${number}`)) return `${name}_${number}`;
  }
};

/** What a flow sees of a call: its ids, and as many of the contact's fields as fit. */
export const attributesOf = ({ callId, taskId, contactId, attempt, fields }: LeasedCall) => {
  const attributes: Record<string, string> = Object.assign(Object.create(null), {
    [callIdAttribute]: callId,
    outbound_task_id: taskId,
    outbound_contact_id: contactId,
    outbound_attempt: String(attempt),
  });
  let size = Object.entries(attributes).reduce((sum, [name, value]) => sum + sizeOf(name, value), 0);
  for (const [field, value] of Object.entries(fields)) {
    const name = freeName(field, attributes);
    size += sizeOf(name, value);
    if (size > sizeLimit) break;
    attributes[name] = value;
  }
  return { ...attributes };
};

const international = /^\+[1-9]\d{2,14}$/;

/**
 * The number as E.164, which Connect demands; `prefix`, such as +86, is for numbers without a
 * country code. `undefined` when it cannot be called.
 */
export const internationalNumber = (phoneNumber: string, prefix: string): string | undefined => {
  const number = phoneNumber.startsWith('+') ? phoneNumber : `${prefix}${phoneNumber}`;
  return international.test(number) ? number : undefined;
};
