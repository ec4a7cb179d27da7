/** Calls by outcome from `time` on, an instant. */
export type CallsOf = { time: number; success: number; failed: number; noAnswer: number };
export type Totals = Omit<CallsOf, 'time'>;

/** The rows with the calls that have ended since they were read, which are those of the bucket at `at`. */
export const withSince = (
  rows: readonly CallsOf[],
  since: Totals,
  now: Totals,
  at: number,
  lengthMs: number,
): CallsOf[] => {
  const more = {
    success: now.success - since.success,
    failed: now.failed - since.failed,
    noAnswer: now.noAnswer - since.noAnswer,
  };
  if (more.success + more.failed + more.noAnswer <= 0) return [...rows];
  const last = rows.at(-1);
  const time = Math.max(last?.time ?? 0, Math.floor(at / lengthMs) * lengthMs);
  const same = last?.time === time ? last : { success: 0, failed: 0, noAnswer: 0 };
  const current = {
    time,
    success: same.success + more.success,
    failed: same.failed + more.failed,
    noAnswer: same.noAnswer + more.noAnswer,
  };
  return [...(same === last ? rows.slice(0, -1) : rows), current];
};

export type Base = {
  totals: Totals;
  /** Whether no call can have ended between the two readings. */
  exact: boolean;
};
type Read = { at: number; totals: Totals };

/** Readings of the same moment, for all that a count can tell. */
const togetherMs = 1000;

const sumOf = (rows: readonly CallsOf[]): Totals => {
  const sum = { success: 0, failed: 0, noAnswer: 0 };
  for (const { success, failed, noAnswer } of rows) {
    sum.success += success;
    sum.failed += failed;
    sum.noAnswer += noAnswer;
  }
  return sum;
};

const allOf = ({ success, failed, noAnswer }: Totals) => success + failed + noAnswer;

/**
 * What the task had counted when the rows were read. They tell it themselves unless they begin later than the task;
 * then it is what `overview` says, read at that time or next. `undefined` until there is such a one.
 */
export const baseOf = (rows: readonly CallsOf[], readAt: number, overview: Read): Base | undefined => {
  const sum = sumOf(rows);
  if (allOf(sum) >= allOf(overview.totals)) return { totals: sum, exact: true };
  if (overview.at < readAt - togetherMs) return undefined;
  return { totals: overview.totals, exact: false };
};

/** Whether calls have ended in between. */
export const isMore = (now: Totals, before: Totals) => allOf(now) > allOf(before);
