import { useWords } from '../i18n/i18n.ts';
import { useImportAt } from '../imports/import-file.ts';
import { usePerson } from '../session/person.ts';
import { ContactTable } from '../sources/contact-table.tsx';
import { ImportHistory, SourceTabs, tabOf } from '../sources/source-screen.tsx';
import { Button } from '../ui/button.tsx';
import { DropZone } from '../ui/drop-zone.tsx';
import { Page } from '../ui/page.tsx';
import { useAddress } from '../ui/use-address.ts';
import { useDownload } from '../ui/use-download.ts';

export const doNotCall = 'do-not-call';

/** The built-in list: whoever is on it is called by no task. */
export const DoNotCallScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const save = useDownload();
  const importing = useImportAt('/do-not-call/import');
  const tab = tabOf(useAddress());
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
            <Button icon="upload" onClick={importing.open}>
              {t.doNotCall.import}
            </Button>
          )}
        </>
      }
    >
      <SourceTabs path="/do-not-call" label={t.doNotCall.title} tab={tab} />
      <DropZone onFile={mayWrite ? importing.drop : undefined} label={t.sources.dropHere}>
        {tab === 'imports' ? (
          <ImportHistory sourceId={doNotCall} />
        ) : (
          <ContactTable
            sourceId={doNotCall}
            short
            deleteWords={t.doNotCall.deleteWords}
            empty={{ title: t.doNotCall.emptyTitle, words: t.doNotCall.empty }}
            addLabel={t.doNotCall.add}
            searchLabel={t.doNotCall.search}
            importLabel={t.doNotCall.import}
            onImport={importing.open}
          />
        )}
      </DropZone>
    </Page>
  );
};
