import { invalid } from '../rules/index.ts';
import type { Instant } from '../time/index.ts';

/** The instant that a field names, if it is given. @throws ServiceError invalid when there is no such date or time */
export const timeIn = (
  field: string,
  text: string | undefined,
  parseTime: (text: string) => Instant | undefined,
): Instant | undefined => {
  const time = text === undefined ? undefined : parseTime(text);
  if (text !== undefined && time === undefined) throw invalid(field, `${text} is not a date and time`);
  return time;
};
