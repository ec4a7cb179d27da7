import { readPhoneFilter } from '../contacts/phone-number.ts';
import type { CallRecord } from './call-record.ts';

/** Which calls of a task are wanted; absent: all. `phoneNumber`: digits that the number contains. */
export type CallFilter = {
  [Name in 'outcome' | 'reason' | 'disposition' | 'phoneNumber']?: string;
};

export const callFilter = ({ phoneNumber, ...exact }: CallFilter): ((call: CallRecord) => boolean) => {
  const digits = readPhoneFilter(phoneNumber);
  const hasDigits = (number: string | null) => {
    if (digits === undefined) return true;
    if (digits === 'none' || number === null) return false;
    return number.includes(digits.plus ? `+${digits.digits}` : digits.digits);
  };
  const wanted = Object.entries(exact);
  return (call) =>
    wanted.every(([name, value]) => call[name as keyof typeof exact] === value) &&
    hasDigits(call.phoneNumber);
};
