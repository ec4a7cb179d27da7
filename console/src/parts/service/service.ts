import { queryOptions, useQuery } from '@tanstack/preact-query';
import { askedOnce, read } from '../../api/client.ts';
import { type Dictionary, listText } from '../../i18n/i18n.ts';
import { lastingWords, limitWords } from '../settings/retry-controls.tsx';
import { useIsSettled } from '../tasks/queries.ts';

/** The rules that hold for all tasks. They change only with a new deployment. */
export const serviceQuery = queryOptions({
  ...askedOnce,
  queryKey: ['service'],
  queryFn: ({ signal }) => read('/api/service', {}, signal),
});

type Service = Awaited<ReturnType<NonNullable<typeof serviceQuery.queryFn>>>;

/** What the service says about a setting that one of its rules caps; nothing where there is no such rule. */
const capWords: Record<string, (service: Service, t: Dictionary) => string | null> = {
  dailyStartTime: ({ callingHours }, t) => callingHours && t.service.capHours(callingHours),
  maxDialCount: ({ maxCallsPerNumberPerDay: most }, t) => (most ? t.service.capDay(most) : null),
  callLimits: ({ callLimits: limits }, t) =>
    limits.length > 0 ? t.service.cap(listText(limits.map((limit) => limitWords(limit, t)))) : null,
  restAfterSuccess: ({ restAfterSuccess: hours }, t) =>
    hours > 0 ? t.service.capRest(lastingWords(hours * 3600, t)) : null,
  maxConcurrentCalls: ({ maxConcurrentCalls: most }, t) => (most ? t.service.capCalls(most) : null),
};

/** The rules as sentences, by the setting that each of them caps. Asked for after what the screen needs first. */
export const useCaps = (t: Dictionary): Readonly<Record<string, string>> => {
  const { data } = useQuery({ ...serviceQuery, enabled: useIsSettled(true) });
  if (data === undefined) return {};
  const said = Object.entries(capWords).map(([name, words]) => [name, words(data, t)] as const);
  return Object.fromEntries(said.filter((each): each is [string, string] => Boolean(each[1])));
};
