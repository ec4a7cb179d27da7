import type { TaskOverview } from '../../../../client/client.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import { callsPath } from '../../base/paths.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Tabs } from '../../ui/page/page.tsx';

export type TaskTab = 'overview' | 'contacts' | 'calls' | 'settings' | 'history';

type Props = { id: string; task: TaskOverview | undefined; current: TaskTab };

/** What there is to see of a task. A draft has no calls yet. */
export const TaskTabs = ({ id, task, current }: Props) => {
  const t = useWords();
  const path = `/tasks/${id}`;
  const isDraft = task?.status === status.draft;
  const tabs = [
    !isDraft && { name: 'overview', href: path, label: t.task.overview },
    { name: 'contacts', href: `${path}/contacts`, label: t.contacts.title, count: task?.contacts.total },
    !isDraft && { name: 'calls', href: callsPath(id), label: t.calls.title, count: task?.calls.total },
    { name: 'settings', href: isDraft ? path : `${path}?tab=settings`, label: t.task.settings },
    { name: 'history', href: `${path}?tab=history`, label: t.task.history },
  ].filter((tab) => tab !== false);
  return (
    <Tabs
      label={task?.taskName ?? t.tasks.title}
      tabs={tabs.map(({ name, ...tab }) => ({ ...tab, current: name === current }))}
    />
  );
};
