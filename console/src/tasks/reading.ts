import type { TaskOverview } from '../../../client/answers.ts';

/** Figures on an open screen are at most five seconds old, the way to the page included. */
export const liveMs = 4900;
/** What keeping an open screen fresh may cost, in read units of the table. */
const unitsPerMinute = 150;
const minuteMs = 60_000;

/** What an answer costs at most, in read units. */
export const units = { timeline: 20, contacts: 25 } as const;

/** An overview costs the more the more calls are under way. */
export const unitsOf = ({ contacts }: Pick<TaskOverview, 'contacts'>): number => 6 + contacts.inCall / 20;
export const unitsInList = ({ contacts }: Pick<TaskOverview, 'contacts'>): number =>
  2.5 + contacts.inCall / 20;

const perMinute = (each: number, everyMs: number) => (each * minuteMs) / everyMs;

/**
 * How often something may be asked for beside an overview that is asked for all the time, so that both stay
 * within the limit; at most once a minute, which is often enough for what is no figure.
 */
export const everyMs = (each: number, beside: Pick<TaskOverview, 'contacts'> | undefined): number => {
  const left = unitsPerMinute - (beside === undefined ? 0 : perMinute(unitsOf(beside), liveMs));
  return Math.max(minuteMs, (each * minuteMs) / Math.max(1, left));
};

/** A task as it was last seen. */
export type Seen = { overview: TaskOverview; at: number };

/** A task at rest is looked at now and then: a colleague may have set it going. */
const restMs = 6 * liveMs;
/** The rest of the limit pays for looking whether the list itself is another. */
const unitsOfRows = 140;
const closed = 6;

const isMoving = ({ status, dialing, contacts }: TaskOverview) =>
  contacts.inCall > 0 || (status === 1 && dialing.active);

/** Where more tasks move than the limit pays for, some wait for their turn: the reader is told. */
export const isOld = ({ overview, at }: Seen, latest: number): boolean =>
  isMoving(overview) && latest - at > 2 * liveMs;

/**
 * Which of them to ask for now: those that move before those at rest, those in view before those to scroll to, the
 * longest unseen first, as many as the limit pays for. What is left out takes its turn the next time.
 */
export const dueNow = (
  seen: readonly Seen[],
  now: number,
  isInView: (id: string) => boolean = () => true,
): string[] => {
  const age = ({ at }: Seen) => now - at;
  const urgency = ({ overview }: Seen) => (isMoving(overview) ? (isInView(overview.id) ? 2 : 1) : 0);
  const due = seen
    .filter(({ overview }) => overview.status !== closed)
    .filter((each) => isMoving(each.overview) || age(each) >= restMs)
    .sort((a, b) => urgency(b) - urgency(a) || age(b) - age(a));
  // What a tab did not ask for while it was hidden it may ask for now.
  const unasked = Math.min(
    minuteMs,
    Math.max(
      liveMs,
      ...seen
        .map(age)
        .sort((a, b) => a - b)
        .slice(0, 1),
    ),
  );
  let left = (unitsOfRows * unasked) / minuteMs;
  const taken = due.filter(({ overview }, i) => {
    left -= unitsInList(overview);
    return left >= 0 || i === 0;
  });
  return taken.map(({ overview }) => overview.id);
};
