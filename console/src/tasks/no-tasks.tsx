import { useLocation } from 'wouter-preact';
import { settings } from '../api/page-settings.ts';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { StartSample } from './sample.tsx';

/** What to do first. */
export const NoTasks = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
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
          {settings.sample && <StartSample />}
        </>
      )}
    </Empty>
  );
};
