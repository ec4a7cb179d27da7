import { useQueries } from '@tanstack/preact-query';
import { status } from '../../../../shared/domain/tasks/task-states.ts';
import { given } from '../../api/client.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { taskListQuery } from '../queries.ts';
import { useIsSettled } from '../use-pace.ts';

const shown = [
  status.running,
  status.paused,
  status.draft,
  status.completed,
  status.stopped,
  status.failed,
  status.closed,
] as const;

/** To count a state the service reads the headers of all tasks. */
const everyMs = 60_000;

/** How many tasks each state has; asked for once the list itself is shown. */
const useCounts = (isListed: boolean, name: string): (number | undefined)[] => {
  const isDue = useIsSettled(isListed);
  const counts = useQueries({
    queries: shown.map((code) => ({
      ...taskListQuery({ name, status: code, page: 1, pageSize: 1 }),
      enabled: isDue,
      refetchInterval: everyMs,
    })),
  });
  return counts.map(({ data }) => data?.total);
};

/** `total`: of the list shown, once it is known. */
type Props = { name: string; current: number | undefined; total: number | undefined };

export const TaskTabs = ({ name, current, total }: Props) => {
  const t = useWords();
  const counts = useCounts(total !== undefined, name);
  const all = counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
  const href = (state: string) => {
    const query = new URLSearchParams(given({ status: state, q: name })).toString();
    return query === '' ? '/tasks' : `/tasks?${query}`;
  };
  return (
    <Tabs
      label={t.tasks.state}
      tabs={[
        { href: href(''), label: t.tasks.all, count: all, current: current === undefined },
        ...shown.map((code, i) => ({
          href: href(String(code)),
          label: t.status[code],
          count: counts[i],
          current: current === code,
        })),
      ]}
    />
  );
};
