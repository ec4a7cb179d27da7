import { keepPreviousData, queryOptions } from '@tanstack/preact-query';
import type { CallRecord, CallsPage } from '../../../../client/answers.ts';
import { serviceDay } from '../../../../shared/calls/rules.ts';
import { dayMs } from '../../../../shared/platform/time/index.ts';
import type { CallReason } from '../../../../shared/tasks/rules.ts';
import { api, dataOf, given } from '../../api/client.ts';
import { askedOnce } from '../../api/query-client.ts';
import { settings } from '../../base/page-settings.ts';

export type CallFilter = {
  outcome: CallRecord['outcome'] | undefined;
  reason: CallReason | undefined;
  disposition: string;
  phoneNumber: string;
  /** `YYYY-MM-DD` by the clock of the service. */
  day: string;
};

/** One request looks at 1,000 calls. A page whose filter matches few of them takes several. */
const requestsAtMost = 5;

/** The times between which the calls of a day end; nothing where it is no day. */
export const rangeOf = (day: string): { from?: string; to?: string } => {
  if (serviceDay(day, settings.timeZone) === undefined) return {};
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
  return { from: `${day} 00:00:00`, to: `${next} 00:00:00` };
};

/** Only the first page changes: new calls come before all others. */
export const callsQuery = (id: string, { day, ...filter }: CallFilter, pageSize: number, first: string) =>
  queryOptions({
    queryKey: ['calls', id, { ...filter, day }, pageSize, first],
    queryFn: async ({ signal }) => {
      const rows: CallRecord[] = [];
      let token: string | null = first;
      for (let asked = 0; token !== null && rows.length < pageSize && asked < requestsAtMost; asked++) {
        const page = { pageSize: pageSize - rows.length, pageToken: token };
        const query = { ...given({ ...filter, ...page }), ...rangeOf(day) };
        const answer: CallsPage = await dataOf(
          api.GET('/api/task/{id}/calls', { params: { path: { id }, query }, signal }),
        );
        rows.push(...answer.rows);
        token = answer.nextPageToken;
      }
      return { rows, nextPageToken: token };
    },
    placeholderData: keepPreviousData,
    ...(first === '' ? { refetchInterval: 60_000 } : askedOnce),
  });

export const callQuery = (callId: string) =>
  queryOptions({
    queryKey: ['call', callId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/call/detail/{callId}', { params: { path: { callId } }, signal })),
    // A platform may add what it found out after the call.
    refetchInterval: 60_000,
  });
