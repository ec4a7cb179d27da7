import { createHash } from 'node:crypto';
import type { CallReason, Outcome } from '../../shared/tasks/rules/task-settings.ts';
import { type Disposition, type Talk, type TalkShares, talkOf } from './made-up.ts';

/** Shares of all calls, from 0 to 1. The other calls fail. */
export type Mix = { success: number; noAnswer: number } & WishShares & TalkShares;

/** Shares of the calls that succeed, none by default. */
type WishShares = { callback?: number | undefined; doNotCall?: number | undefined };

type SimulatedCall = Talk & {
  outcome: Outcome;
  reason?: CallReason;
  /** Whole seconds. The call takes this long. */
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

/** Eight numbers from 0 to below 1, by `nth` from 0 to 7, that depend only on the texts. */
const randomOf = (...texts: readonly (string | number)[]): ((nth: number) => number) => {
  const digest = createHash('sha256').update(texts.join('\n')).digest();
  return (nth) => digest.readUInt32BE(4 * nth) / 2 ** 32;
};

const outcomeAt = (point: number, { success, noAnswer }: Mix): Outcome => {
  if (point < success) return 'success';
  return point < success + noAnswer ? 'noAnswer' : 'failed';
};

/** How long the phone rings, or the talk lasts. */
const secondsAt = (point: number, outcome: Outcome): number => {
  if (outcome === 'failed') return 0;
  const { minimum, maximum } = ringSeconds;
  if (outcome === 'noAnswer') return minimum + point * (maximum - minimum);
  const talk = talkSeconds.minimum - talkSeconds.usual * Math.log(1 - point);
  return Math.min(talk, talkSeconds.maximum);
};

/** The name whose share covers the point, if the shares are laid one behind the other. */
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
 * The made-up result of a call. It depends only on the seed, the number and how often this
 * simulator has called it. So the same contacts get the same results in every run, in whatever
 * order they are leased, and a recalled contact may still be reached.
 * @param dispositions those that the task declares: the call has one of these codes
 * @param speed how many times shorter the call is than a real one
 */
export const simulatedCall = (
  mix: Mix,
  seed: number,
  { phoneNumber, attempt }: { phoneNumber: string; attempt: number },
  dispositions: readonly Disposition[] = [],
  speed = 1,
): SimulatedCall => {
  // Each question has its own number, so that a changed share changes no other answer.
  const random = randomOf(seed, phoneNumber, attempt);
  const outcome = outcomeAt(random(0), mix);
  const duration = Math.ceil(secondsAt(random(1), outcome) / speed);
  if (outcome === 'noAnswer')
    return { outcome, reason: nameAt(random(2), unanswered) ?? 'noAnswer', duration };
  if (outcome === 'failed')
    return { outcome, reason: failures[Math.floor(random(2) * failures.length)]!, duration };
  const { callback = 0, doNotCall = 0 } = mix;
  const wish = nameAt(random(3), [['callback', callback] as const, ['doNotCall', doNotCall] as const]);
  const answers = randomOf(seed, phoneNumber, attempt, 'answers');
  const points = {
    hasDisposition: random(4),
    disposition: random(5),
    hasData: random(6),
    hasSummary: random(7),
    rating: answers(0),
    heardFrom: answers(1),
  };
  const talk = talkOf(mix, points, { duration, wantsNoCalls: wish === 'doNotCall' }, dispositions);
  return { outcome, duration, ...(wish && { wish }), ...talk };
};
