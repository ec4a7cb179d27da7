import { expect, it } from 'vitest';
import { forecastOf } from '../../console/src/parts/tasks/forecast.ts';
import { campaignOf, type Run, runCampaign } from '../support/dialing/forecast-campaigns.ts';

/** Always the same ones: about one campaign of ten ends otherwise than was shown. */
const campaigns = 30;
const seeds = Array.from({ length: campaigns }, (_, i) => i + 1);
/** Ends are shown to the minute. */
const minute = 60_000;

/**
 * What was shown from a third of the way on. It is right where the end lies in the range that is shown, or within a tenth
 * of the time from the start to the end beside the time that is shown.
 */
const judge = ({ campaign, started, ended, seen }: Run) => {
  const shown = seen.filter(({ now }) => now >= started + (ended - started) / 3);
  const rules = { zone: 'UTC', callsPerNumber: campaign.callsPerNumber };
  const judged = shown.map(({ now, task, minutes }) => {
    const end = forecastOf(task, minutes, now, rules)?.end;
    if (end === undefined) return { isRight: false, isStrict: false, width: undefined };
    const isInside = ended > end.from - minute && ended < end.to + minute;
    const within = (time: number) => isInside || Math.abs(end.at - ended) <= Math.max(minute, time / 10);
    return {
      isRight: within(ended - started),
      isStrict: within(ended - now),
      width: (end.to - end.from) / Math.max(minute, ended - now),
    };
  });
  return {
    seed: campaign.seed,
    isRight: judged.every(({ isRight }) => isRight),
    isStrict: judged.every(({ isStrict }) => isStrict),
    hasCallbacks: campaign.mix.callback > 0,
    widths: judged.flatMap(({ width }) => width ?? []),
  };
};

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

it('the expected end holds from a third of the way on, in nine of ten simulated campaigns', async () => {
  const judged: ReturnType<typeof judge>[] = [];
  for (const each of seeds) judged.push(judge(await runCampaign(campaignOf(each))));
  const widths = (hasCallbacks: boolean) =>
    judged.filter((each) => each.hasCallbacks === hasCallbacks).flatMap((each) => each.widths);
  const wrong = judged.filter(({ isRight }) => !isRight).map((each) => each.seed);
  console.info({
    ...{ campaigns, right: campaigns - wrong.length, wrong },
    rightByTimeToGo: judged.filter(({ isStrict }) => isStrict).length,
    medianWidth: { withoutCallbacks: median(widths(false)), withCallbacks: median(widths(true)) },
  });
  expect(wrong.length, `wrong: ${wrong.join()}`).toBeLessThanOrEqual(campaigns / 10);
  // A range that is always right because it is always wide says nothing.
  expect(median(widths(false))).toBeLessThan(1);
});
