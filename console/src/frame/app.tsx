import { QueryClientProvider } from '@tanstack/preact-query';
import type { ComponentType } from 'preact';
import { Link, Route, Router, Switch } from 'wouter-preact';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { queryClient } from '../api/client.ts';
import { basePath } from '../base/page-settings.ts';
import { loadZones } from '../base/zone-table.ts';
import { TasksScreen } from '../features/tasks/list/tasks-screen.tsx';
import { TodayScreen } from '../features/today/today-screen.tsx';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/session.ts';
import { lazy } from '../ui/page/lazy.tsx';
import { Empty, Page } from '../ui/page/page.tsx';
import { Shell } from './shell.tsx';

const NotFound = () => {
  const t = useWords();
  return (
    <Page title={t.notFound.title}>
      <p>{t.notFound.words}</p>
      <p>
        <Link href="/tasks">{t.notFound.home}</Link>
      </p>
    </Page>
  );
};

/** A screen that only changes things: a viewer is told so before typing. */
const forWriters =
  <P extends object>(Screen: ComponentType<P>) =>
  (props: P) => {
    const t = useWords();
    return usePerson().mayWrite ? (
      <Screen {...props} />
    ) : (
      <Page title={t.session.viewer}>
        <Empty icon="person" words={t.session.viewOnly} />
      </Page>
    );
  };

/** Loads a screen on which users enter hours in any zone. */
const withZones =
  <Screen,>(load: () => Promise<Screen>) =>
  async (): Promise<Screen> =>
    (await Promise.all([load(), loadZones()]))[0];

// Not needed for the first screen.
const forms = withZones(() => import('../features/task-form/task-form-screen.tsx'));
const lists = () => import('../features/sources/source-screen.tsx');
const CompareScreen = lazy(() => import('../features/compare/compare-screen.tsx'), 'CompareScreen', {
  title: (t) => t.compare.title,
});
const TaskScreen = lazy(
  withZones(() => import('../features/tasks/task/task-screen.tsx')),
  'TaskScreen',
  { title: (t) => t.task.one },
);
const TaskContactsScreen = lazy(
  () => import('../features/tasks/contacts/task-contacts-screen.tsx'),
  'TaskContactsScreen',
  { title: (t) => t.contacts.title },
);
const CallsScreen = lazy(() => import('../features/calls/calls-screen.tsx'), 'CallsScreen', {
  title: (t) => t.calls.title,
});
const SourcesScreen = lazy(() => import('../features/sources/sources-screen.tsx'), 'SourcesScreen', {
  title: (t) => t.sources.title,
});
const SourceScreen = lazy(lists, 'SourceScreen', { title: (t) => t.sources.title });
const DoNotCallScreen = lazy(lists, 'DoNotCallScreen', { title: (t) => t.doNotCall.title });
const PersonScreen = lazy(() => import('../features/people/person-screen.tsx'), 'PersonScreen', {
  title: (t) => t.people.find,
});
const ServiceScreen = lazy(() => import('../features/service/service-screen.tsx'), 'ServiceScreen', {
  title: (t) => t.settings,
});
const WebhooksScreen = forWriters(
  lazy(() => import('../features/webhooks/webhooks-screen.tsx'), 'WebhooksScreen', {
    title: (t) => t.settings,
  }),
);
const NewTask = forWriters(lazy(forms, 'NewTaskScreen', { title: (t) => t.tasks.new }));
const EditTask = forWriters(lazy(forms, 'EditTaskScreen', { title: (t) => t.common.edit }));
const ImportScreen = forWriters(
  lazy(() => import('../features/imports/import-screen.tsx'), 'ImportScreen', {
    title: (t) => t.sources.import,
  }),
);

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <Router base={basePath}>
      <Shell>
        <Switch>
          <Route path="/" component={TodayScreen} />
          <Route path="/tasks" component={TasksScreen} />
          <Route path="/tasks/new" component={NewTask} />
          <Route path="/tasks/:id" component={TaskScreen} />
          <Route path="/tasks/:id/edit" component={EditTask} />
          <Route path="/tasks/:id/contacts" component={TaskContactsScreen} />
          <Route path="/tasks/:id/calls" component={CallsScreen} />
          <Route path="/sources" component={SourcesScreen} />
          <Route path="/sources/:id" component={SourceScreen} />
          <Route path="/sources/:id/import" component={ImportScreen} />
          <Route path="/import" component={ImportScreen} />
          <Route path="/do-not-call" component={DoNotCallScreen} />
          <Route path="/do-not-call/import">
            <ImportScreen params={{ id: doNotCall.id }} />
          </Route>
          <Route path="/compare" component={CompareScreen} />
          <Route path="/people" component={PersonScreen} />
          <Route path="/service" component={ServiceScreen} />
          <Route path="/webhooks" component={WebhooksScreen} />
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </Router>
  </QueryClientProvider>
);
