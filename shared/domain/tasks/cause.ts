/** Why the service itself acted on a task: its brake paused it, or its `callUntil` has come. */
export const reasonCodes = ['TOO_MANY_FAILED', 'CALL_UNTIL_PASSED'] as const;

/** The reason as data, so that each language has its own sentence; `text` is the English one. */
export type Cause = {
  reasonCode: (typeof reasonCodes)[number];
  figures: Readonly<Record<string, string | number>>;
};
export type ToldCause = Cause & { text: string };

/** What is answered where there is none. */
export const causeView = (cause: Cause | undefined) => ({
  reasonCode: cause?.reasonCode ?? null,
  figures: cause?.figures ?? null,
});
