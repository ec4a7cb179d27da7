import type { TaskBoard } from '../../../../../client/answers.ts';
import { status } from '../../../../../shared/tasks/rules.ts';
import { given } from '../../../api/client.ts';
import { useWords } from '../../../i18n/i18n.ts';
import { Tabs } from '../../../ui/page/tabs.tsx';

/** In the order of the tabs. */
const shown = ['running', 'paused', 'draft', 'completed', 'stopped', 'failed', 'closed'] as const;

type Props = { name: string; current: number | undefined; counts: TaskBoard['byStatus'] | undefined };

/** The states, each with its number of tasks. */
export const TaskTabs = ({ name, current, counts }: Props) => {
  const t = useWords();
  const href = (state: string) => {
    const query = new URLSearchParams(given({ status: state, q: name })).toString();
    return query === '' ? '/tasks' : `/tasks?${query}`;
  };
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <Tabs
      label={t.tasks.state}
      tabs={[
        { href: href(''), label: t.tasks.all, count: all, current: current === undefined },
        ...shown.map((word) => ({
          href: href(String(status[word])),
          label: t.status[status[word]],
          count: counts?.[word],
          current: current === status[word],
        })),
      ]}
    />
  );
};
