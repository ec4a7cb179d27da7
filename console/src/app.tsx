import { QueryClientProvider } from '@tanstack/preact-query';
import { Link, Route, Router, Switch } from 'wouter-preact';
import { queryClient } from './api/query-client.ts';
import { useWords } from './i18n/i18n.ts';
import { TasksScreen } from './screens/tasks.tsx';
import { basePath } from './settings.ts';
import { Shell } from './shell.tsx';
import { Page } from './ui/page.tsx';

const NotFound = () => {
  const t = useWords();
  return (
    <Page title={t.notFound.title}>
      <p>{t.notFound.words}</p>
      <p>
        <Link href="/">{t.notFound.home}</Link>
      </p>
    </Page>
  );
};

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <Router base={basePath}>
      <Shell>
        <Switch>
          <Route path="/" component={TasksScreen} />
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </Router>
  </QueryClientProvider>
);
