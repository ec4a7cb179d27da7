import { callReasons, type Outcome } from '../../domain/dialing/dialing.ts';
import type { ReportedCall } from '../../domain/dialing/task-contact.ts';

const short = { success: 's', failed: 'f', noAnswer: 'n' } as const satisfies Record<Outcome, string>;
const long: Record<string, Outcome> = { s: 'success', f: 'failed', n: 'noAnswer' };
/** With ten attempts an allowance, the reports of the last two; keeps the item below 1 KB, one write unit. */
const reportsKept = 20;
const secondMs = 1000;
const base = 36;

/** A capital letter is a final outcome; times to the second, and a reason by its place in the list. */
const packedReport = ({ nonce, outcome, duration, final, time, reason }: ReportedCall) =>
  [
    nonce,
    final ? short[outcome].toUpperCase() : short[outcome],
    duration,
    Math.floor(time / secondMs).toString(base),
    ...(reason === null ? [] : [callReasons.indexOf(reason)]),
  ].join(' ');

/** The latest of them. */
export const packedReports = (reports: readonly ReportedCall[]): string[] =>
  reports.slice(-reportsKept).map(packedReport);

export const reportOf = (text: string): ReportedCall => {
  const [nonce = '', letter = '', duration = '', time = '', reason] = text.split(' ');
  return {
    nonce,
    outcome: long[letter.toLowerCase()] ?? 'failed',
    duration: Number(duration),
    final: letter !== letter.toLowerCase(),
    time: Number.parseInt(time, base) * secondMs,
    reason: callReasons[Number(reason ?? -1)] ?? null,
  };
};
