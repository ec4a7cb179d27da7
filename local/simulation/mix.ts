import { createHash } from 'node:crypto';
import type { CallReason, Outcome } from '../../shared/domain/dialing/dialing.ts';

/** Shares of all calls, from 0 to 1; what is left over fails. */
export type Mix = { success: number; noAnswer: number };

export type SimulatedCall = {
  outcome: Outcome;
  reason?: CallReason;
  /** Seconds. */
  duration: number;
};

/** What lies behind calls that reach nobody, the usual ones more than once. */
const reasons = {
  noAnswer: ['noAnswer', 'noAnswer', 'noAnswer', 'busy', 'busy', 'voicemail', 'poweredOff'],
  failed: ['unreachable', 'outOfService', 'invalidNumber', 'rejected', 'networkError', 'other'],
} as const satisfies Record<Exclude<Outcome, 'success'>, readonly CallReason[]>;

const ringSeconds = { least: 5, most: 45 };
/** Most talks are short, a few are long. */
const talkSeconds = { least: 8, usual: 60, most: 600 };

/** Three numbers from 0 to below 1 that depend on nothing but the texts. */
const randomOf = (...texts: readonly (string | number)[]): [number, number, number] => {
  const digest = createHash('sha256').update(texts.join('\n')).digest();
  const [first = 0, second = 0, third = 0] = [0, 4, 8].map((at) => digest.readUInt32BE(at) / 2 ** 32);
  return [first, second, third];
};

const outcomeAt = (point: number, { success, noAnswer }: Mix): Outcome => {
  if (point < success) return 'success';
  return point < success + noAnswer ? 'noAnswer' : 'failed';
};

const durationAt = (point: number, outcome: Outcome): number => {
  if (outcome === 'failed') return 0;
  const { least, most } = ringSeconds;
  if (outcome === 'noAnswer') return Math.round(least + point * (most - least));
  const talk = talkSeconds.least - talkSeconds.usual * Math.log(1 - point);
  return Math.round(Math.min(talk, talkSeconds.most));
};

/**
 * How a call ends. It hangs on the seed, the number and how often it was called by this simulator before, so
 * that the same contacts end the same way in every run, in whatever order dialers get them, and one that is
 * recalled may be reached yet.
 */
export const simulatedCall = (
  mix: Mix,
  seed: number,
  { phoneNumber, attempt }: { phoneNumber: string; attempt: number },
): SimulatedCall => {
  const [first, second, third] = randomOf(seed, phoneNumber, attempt);
  const outcome = outcomeAt(first, mix);
  const duration = durationAt(second, outcome);
  if (outcome === 'success') return { outcome, duration };
  const some = reasons[outcome];
  return { outcome, reason: some[Math.floor(third * some.length)]!, duration };
};
