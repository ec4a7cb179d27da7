import { createHash } from 'node:crypto';
import type { CallReason, Outcome } from '../../shared/domain/dialing/dialing.ts';

/** Shares of all calls, from 0 to 1. The rest of the calls fail. */
export type Mix = { success: number; noAnswer: number };

type SimulatedCall = {
  outcome: Outcome;
  reason?: CallReason;
  /** Seconds. */
  duration: number;
};

/** Reasons of calls without success. A frequent reason is listed more than once. */
const reasons = {
  noAnswer: ['noAnswer', 'noAnswer', 'noAnswer', 'busy', 'busy', 'voicemail', 'poweredOff'],
  failed: ['unreachable', 'outOfService', 'invalidNumber', 'rejected', 'networkError', 'other'],
} as const satisfies Record<Exclude<Outcome, 'success'>, readonly CallReason[]>;

const ringSeconds = { minimum: 5, maximum: 45 };
/** Most calls are short, a few are long. */
const talkSeconds = { minimum: 8, usual: 60, maximum: 600 };

/** Three numbers from 0 to below 1 that depend only on the texts. */
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
  const { minimum, maximum } = ringSeconds;
  if (outcome === 'noAnswer') return Math.round(minimum + point * (maximum - minimum));
  const talk = talkSeconds.minimum - talkSeconds.usual * Math.log(1 - point);
  return Math.round(Math.min(talk, talkSeconds.maximum));
};

/**
 * The made-up result of a call. It depends only on the seed, the number and how often this simulator has called it. So
 * the same contacts get the same results in every run, in whatever order they are leased, and a recalled contact may
 * still be reached.
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
