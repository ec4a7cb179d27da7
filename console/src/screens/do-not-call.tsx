import { useMutation } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { troubleWords } from '../api/errors.ts';
import { download } from '../download.ts';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { Button } from '../ui/button.tsx';
import { DropZone } from '../ui/drop-zone.tsx';
import { Page } from '../ui/page.tsx';
import { say } from '../ui/toast.tsx';
import { ContactTable } from './contact-table.tsx';
import { handOver } from './import-file.ts';

export const doNotCall = 'do-not-call';

/** The built-in list: whoever is on it is called by no task. */
export const DoNotCallScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const save = useMutation({ mutationFn: download, onError: (error) => say(troubleWords(error, t)) });
  const toImport = () => navigate('/do-not-call/import');
  const drop = (file: File) => {
    handOver(file);
    toImport();
  };
  return (
    <Page
      title={t.doNotCall.title}
      below={t.doNotCall.words}
      actions={
        <>
          <Button
            icon="download"
            busy={save.isPending}
            onClick={() => save.mutate(`/api/dataSource/${doNotCall}/contact/batchExport?format=excel`)}
          >
            {t.sources.exportExcel}
          </Button>
          {mayWrite && (
            <Button icon="upload" onClick={toImport}>
              {t.doNotCall.import}
            </Button>
          )}
        </>
      }
    >
      <DropZone onFile={mayWrite ? drop : undefined} label={t.sources.dropHere}>
        <ContactTable
          sourceId={doNotCall}
          short
          deleteWords={t.doNotCall.deleteWords}
          empty={{ title: t.doNotCall.emptyTitle, words: t.doNotCall.empty }}
          addLabel={t.doNotCall.add}
          searchLabel={t.doNotCall.search}
          importLabel={t.doNotCall.import}
          onImport={toImport}
        />
      </DropZone>
    </Page>
  );
};
