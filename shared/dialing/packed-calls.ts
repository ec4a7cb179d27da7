import { type Instant, secondMs } from '../platform/time/time.ts';
import { callReasons, type Outcome } from '../tasks/rules/task-settings.ts';
import type { EndedCallTime, ReportedCall, TaskContact } from './rules/task-contact.ts';

const short = { success: 's', failed: 'f', noAnswer: 'n' } as const satisfies Record<Outcome, string>;
const long: Record<string, Outcome> = { s: 'success', f: 'failed', n: 'noAnswer' };
/**
 * The results of the last two allowances, with ten attempts each. They keep the item below 1 KB,
 * one write unit.
 */
const resultsKept = 20;
const base = 36;

/** Stands for no reason. */
const none = '-';
/** Stands in the place of a callback's time if the person wants no calls. */
const noCalls = '!';

const packTime = (time: Instant) => Math.floor(time / secondMs).toString(base);
const unpackTime = (text: string): Instant => Number.parseInt(text, base) * secondMs;

/**
 * A capital letter is a final outcome. Times are in seconds, and a reason is its index in the list.
 */
const packResult = ({ nonce, outcome, duration, final, time, reason, ...rest }: ReportedCall) => {
  const wish = rest.doNotCall ? noCalls : rest.callbackTime && packTime(rest.callbackTime);
  return [
    nonce,
    final ? short[outcome].toUpperCase() : short[outcome],
    duration,
    packTime(time),
    ...(reason === null && wish === undefined ? [] : [reason === null ? none : callReasons.indexOf(reason)]),
    ...(wish === undefined ? [] : [wish]),
  ].join(' ');
};

const packCallTime = ({ nonce, time }: EndedCallTime) => `${nonce} ${packTime(time)}`;
export const unpackCallTime = (text: string): EndedCallTime => {
  const [nonce = '', time = ''] = text.split(' ');
  return { nonce, time: unpackTime(time) };
};

/** The latest results in full, and the times of earlier ones, by which their records are found. */
export const callAttributes = ({ results, earlier }: TaskContact) => {
  const older = [...earlier, ...results.slice(0, -resultsKept)];
  return {
    log: results.slice(-resultsKept).map(packResult),
    ...(older.length > 0 && { older: older.map(packCallTime) }),
  };
};

export const unpackResult = (text: string): ReportedCall => {
  const [nonce = '', letter = '', duration = '', time = '', reason, wish] = text.split(' ');
  return {
    nonce,
    outcome: long[letter.toLowerCase()] ?? 'failed',
    duration: Number(duration),
    final: letter !== letter.toLowerCase(),
    time: unpackTime(time),
    reason: callReasons[Number(reason ?? -1)] ?? null,
    ...(wish === noCalls && { doNotCall: true as const }),
    ...(wish !== undefined && wish !== noCalls && { callbackTime: unpackTime(wish) }),
  };
};
