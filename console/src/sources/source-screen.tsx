import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useWords } from '../i18n/i18n.ts';
import { useImportAt } from '../imports/import-file.ts';
import { usePerson } from '../session/person.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { useDownload } from '../ui/use-download.ts';
import { ContactList } from './contact-list.tsx';
import { DeleteSourceDialog } from './delete-source-dialog.tsx';
import { contactsExport, sourceQuery } from './queries.ts';
import { SourceDialog } from './source-dialog.tsx';
import { SourceTabs } from './source-tabs.tsx';

export const SourceScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const [asked, ask] = useState<'edit' | 'delete' | undefined>();
  const source = useQuery(sourceQuery(id));
  const save = useDownload();
  const back = { href: '/sources', label: t.sources.title };
  const importing = useImportAt(`/sources/${id}/import`);
  if (source.data === undefined) {
    return (
      <Page title={t.sources.title} back={back}>
        <Awaited query={source} />
      </Page>
    );
  }
  const onClose = () => ask(undefined);
  const { dataSourceName, dataSourceDesc, contactCount } = source.data;
  return (
    <Page
      title={dataSourceName}
      back={back}
      below={dataSourceDesc && <bdi>{dataSourceDesc}</bdi>}
      actions={
        <>
          {mayWrite && (
            <>
              <Button icon="upload" onClick={importing.open} label={t.sources.import} />
              <Button
                kind="primary"
                icon="plus"
                onClick={() => navigate(`/tasks/new?source=${id}`)}
                label={t.sources.newTask}
              />
            </>
          )}
          <Menu
            label={t.common.more}
            items={[
              mayWrite && { label: t.sources.edit, onChoose: () => ask('edit') },
              ...(['excel', 'csv'] as const).map((format) => ({
                label: format === 'excel' ? t.sources.exportExcel : t.sources.exportCsv,
                icon: 'download' as const,
                onChoose: () => save.mutate(contactsExport(id, format)),
              })),
              mayWrite && {
                label: t.common.delete,
                icon: 'bin',
                danger: true,
                onChoose: () => ask('delete'),
              },
            ]}
          />
        </>
      }
    >
      <SourceTabs
        sourceId={id}
        path={`/sources/${id}`}
        label={dataSourceName}
        count={contactCount}
        importing={importing}
      >
        <ContactList sourceId={id} words={t.contacts} onImport={importing.open} />
      </SourceTabs>
      {asked === 'edit' && <SourceDialog source={source.data} onClose={onClose} />}
      {asked === 'delete' && <DeleteSourceDialog source={source.data} onClose={onClose} />}
    </Page>
  );
};
