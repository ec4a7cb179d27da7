import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { dataIn, request } from '../../api/client.ts';
import { troubleOf } from '../../api/errors.ts';
import { settings } from '../../base/page-settings.ts';
import { useWords } from '../../i18n/i18n.ts';
import { usePerson } from '../../session/session.ts';
import { Button, Icon, Refused } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/page/page.tsx';

/** The local service's own door: made-up contacts, and the simulator that calls them. */
type Sample = { running: boolean; taskId: string | null };

const ask = async (path: string, method: 'GET' | 'POST') => dataIn<Sample>(await request(path, { method }));

/** `onDone` is called before the rest of the page shows what was done. */
const useTurn = (path: string, onDone: (sample: Sample) => void = () => {}) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => ask(path, 'POST'),
    onSuccess: (data) => {
      queries.setQueryData(['sample'], data);
      onDone(data);
      return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sample' });
    },
  });
};

/** Says that no real calls are made, and ends them. */
export const SampleBanner = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const sample = useQuery({
    queryKey: ['sample'],
    queryFn: () => ask('/local/sample', 'GET'),
    enabled: settings.sample === true && mayWrite,
    refetchInterval: ({ state }) => (state.data?.running ? 5000 : false),
  });
  const stop = useTurn('/local/sample/stop');
  if (!sample.data?.running) return null;
  return (
    <div class="banner row">
      <Icon name="phone" />
      <span>{t.sample.running}</span>
      <Button
        kind="quiet"
        icon="stop"
        busy={stop.isPending}
        onClick={() => stop.mutate()}
        label={t.sample.stop}
      />
    </div>
  );
};

/** What to do first. */
export const NoTasks = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const start = useTurn('/local/sample/start', ({ taskId }) => taskId && navigate(`/tasks/${taskId}`));
  return (
    <Empty
      icon="tasks"
      title={t.tasks.emptyTitle}
      words={settings.sample && mayWrite ? t.tasks.empty : t.tasks.emptyOnAws}
    >
      {mayWrite && (
        <>
          <Button
            kind="primary"
            icon="upload"
            onClick={() => navigate('/import')}
            label={t.sources.importFile}
          />
          {settings.sample && (
            <Button
              icon="play"
              busy={start.isPending}
              label={t.sample.start}
              onClick={() => start.mutate()}
            />
          )}
          <Refused words={troubleOf(start.error, t).whole} />
        </>
      )}
    </Empty>
  );
};
