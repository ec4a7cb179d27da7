import { createHash } from 'node:crypto';
import type { Outcome } from '../../shared/domain/dialing.ts';

/** Shares of all calls, from 0 to 1; what is left over fails. */
export type Mix = { success: number; noAnswer: number };

export type SimulatedCall = { outcome: Outcome /** Seconds. */; duration: number };

const ringSeconds = { least: 5, most: 45 };
/** Most talks are short, a few are long. */
const talkSeconds = { least: 8, usual: 60, most: 600 };

/** Two numbers from 0 to below 1 that depend on nothing but the texts. */
const randomOf = (...texts: readonly (string | number)[]): [number, number] => {
  const digest = createHash('sha256').update(texts.join('\n')).digest();
  return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32];
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
 * How a call ends. It hangs on the seed, the number and the attempt alone, so that the same contacts end
 * the same way in every run, in whatever order dialers get them.
 */
export const simulatedCall = (
  mix: Mix,
  seed: number,
  { phoneNumber, attempt }: { phoneNumber: string; attempt: number },
): SimulatedCall => {
  const [first, second] = randomOf(seed, phoneNumber, attempt);
  const outcome = outcomeAt(first, mix);
  return { outcome, duration: durationAt(second, outcome) };
};
