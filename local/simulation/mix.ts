import { createHash } from 'node:crypto';
import type { CallReason, Outcome } from '../../shared/domain/dialing/dialing.ts';

/** Shares of all calls, from 0 to 1. The rest of the calls fail. */
export type Mix = { success: number; noAnswer: number } & WishShares;

/** Shares of the calls that succeed, none by default. */
type WishShares = { callback?: number | undefined; doNotCall?: number | undefined };

type SimulatedCall = {
  outcome: Outcome;
  reason?: CallReason;
  /** Seconds. */
  duration: number;
  /** What the person asked for. */
  wish?: 'callback' | 'doNotCall';
};

/** Why calls are not answered, with the share of each reason. */
const unanswered = [
  ['noAnswer', 3 / 7],
  ['busy', 2 / 7],
  ['voicemail', 1 / 7],
  ['poweredOff', 1 / 7],
] as const satisfies readonly (readonly [CallReason, number])[];
const failures = [
  'unreachable',
  'outOfService',
  'invalidNumber',
  'rejected',
  'networkError',
  'other',
] as const satisfies readonly CallReason[];

const ringSeconds = { minimum: 5, maximum: 45 };
/** Most calls are short, a few are long. */
const talkSeconds = { minimum: 8, usual: 60, maximum: 600 };

/** Four numbers from 0 to below 1 that depend only on the texts. */
const randomOf = (...texts: readonly (string | number)[]): [number, number, number, number] => {
  const digest = createHash('sha256').update(texts.join('\n')).digest();
  const numberAt = (place: number) => digest.readUInt32BE(4 * place) / 2 ** 32;
  return [numberAt(0), numberAt(1), numberAt(2), numberAt(3)];
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

/** The first name whose share, laid behind the shares before it, covers the point. */
const nameAt = <N extends string>(
  point: number,
  shares: readonly (readonly [N, number])[],
): N | undefined => {
  let end = 0;
  return shares.find(([, share]) => {
    end += share;
    return point < end;
  })?.[0];
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
  // Each question has its own number: a share that is changed changes no other answer.
  const [first, second, third, fourth] = randomOf(seed, phoneNumber, attempt);
  const outcome = outcomeAt(first, mix);
  const duration = durationAt(second, outcome);
  if (outcome === 'noAnswer') return { outcome, reason: nameAt(third, unanswered) ?? 'noAnswer', duration };
  if (outcome === 'failed')
    return { outcome, reason: failures[Math.floor(third * failures.length)]!, duration };
  const { callback = 0, doNotCall = 0 } = mix;
  const wish = nameAt(fourth, [['callback', callback] as const, ['doNotCall', doNotCall] as const]);
  return { outcome, duration, ...(wish && { wish }) };
};
