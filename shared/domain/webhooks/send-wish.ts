import { invalid } from '../errors.ts';
import type { Instant } from '../time.ts';

/** What a client asks to send. */
export type SendWish =
  | { kind: 'test' }
  | { kind: 'events'; ids: readonly string[] }
  | { kind: 'stretch'; from: Instant; to: Instant };

type Input = {
  test?: boolean | undefined;
  eventIds?: readonly string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** @throws ServiceError invalid unless exactly one thing is asked for */
export const wishOf = (
  { test, eventIds, from, to }: Input,
  parseTime: (text: string) => Instant | undefined,
): SendWish => {
  const isStretch = from !== undefined || to !== undefined;
  const wishes = [test === true, eventIds !== undefined, isStretch].filter(Boolean).length;
  if (wishes !== 1) throw invalid('body', 'must have one of "test": true, "eventIds", or "from" and "to"');
  if (eventIds !== undefined) return { kind: 'events', ids: eventIds };
  if (!isStretch) return { kind: 'test' };
  const timeOf = (field: 'from' | 'to', text: string | undefined) => {
    if (text === undefined) throw invalid(field, 'is required', 'REQUIRED');
    const time = parseTime(text);
    if (time === undefined) throw invalid(field, `${text} is not a date and time`);
    return time;
  };
  const stretch = { from: timeOf('from', from), to: timeOf('to', to) };
  if (stretch.from >= stretch.to) throw invalid('to', 'must be after "from"');
  return { kind: 'stretch', ...stretch };
};
