import { doNotCall } from '../../../shared/domain/contacts/data-source.ts';
import { useWords } from '../i18n/i18n.ts';
import { CountryNote } from '../imports/country-note.tsx';
import { useImportAt } from '../imports/import-file.ts';
import { usePerson } from '../session/person.ts';
import { ContactList } from '../sources/contact-list.tsx';
import { contactsExport } from '../sources/queries.ts';
import { SourceTabs } from '../sources/source-tabs.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { useDownload } from '../ui/use-download.ts';

/** The built-in list: no task calls a number on it. */
export const DoNotCallScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const save = useDownload();
  const importing = useImportAt('/do-not-call/import');
  return (
    <Page
      title={t.doNotCall.title}
      below={
        <>
          <p>{t.doNotCall.words}</p>
          <CountryNote />
        </>
      }
      actions={
        <>
          <Button
            icon="download"
            busy={save.isPending}
            onClick={() => save.mutate(contactsExport(doNotCall.id, 'excel'))}
            label={t.sources.exportExcel}
          />
          {mayWrite && <Button icon="upload" onClick={importing.open} label={t.sources.import} />}
        </>
      }
    >
      <SourceTabs sourceId={doNotCall.id} path="/do-not-call" label={t.doNotCall.title} importing={importing}>
        <ContactList sourceId={doNotCall.id} short words={t.doNotCall} onImport={importing.open} />
      </SourceTabs>
    </Page>
  );
};
