import { useQueries } from '@tanstack/preact-query';
import { status } from '../../../../../shared/domain/tasks/task-states.ts';
import { given } from '../../../api/client.ts';
import { useWords } from '../../../i18n/i18n.ts';
import { taskListQuery } from '../../../parts/tasks/queries.ts';
import { useIsSettled } from '../../../parts/tasks/use-pace.ts';
import { Tabs } from '../../../ui/page/tabs.tsx';

const { running, paused, draft, completed, stopped, failed, closed } = status;
/** In the order of the tabs. */
const shown = [running, paused, draft, completed, stopped, failed, closed] as const;

/** To count a state the service reads the headers of all tasks. */
const everyMs = 60_000;

/** `total`: of the list shown, once it is known. */
type Props = { name: string; current: number | undefined; total: number | undefined };

/** The states, each with its number of tasks; those are asked for once the list itself is shown. */
export const TaskTabs = ({ name, current, total }: Props) => {
  const t = useWords();
  const enabled = useIsSettled(total !== undefined);
  const counts = useQueries({
    queries: shown.map((status) => ({
      ...taskListQuery({ name, status, page: 1, pageSize: 1 }),
      enabled,
      refetchInterval: everyMs,
    })),
  }).map(({ data }) => data?.total);
  const all = counts.every((count) => count !== undefined)
    ? counts.reduce((sum, count) => sum + count, 0)
    : undefined;
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
