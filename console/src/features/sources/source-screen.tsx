import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { doNotCall } from '../../../../shared/contacts/rules.ts';
import { useWords } from '../../i18n/i18n.ts';
import { useImport } from '../../parts/lists/import-file.ts';
import { NumberNotes } from '../../parts/lists/number-notes.tsx';
import { contactsExport, contactsQuery, sourceQuery } from '../../parts/lists/queries.ts';
import { usePerson } from '../../session/person.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Menu } from '../../ui/actions/menu.tsx';
import { useDownload } from '../../ui/actions/use-download.ts';
import { useAddress } from '../../ui/lists/list.tsx';
import { Awaited, Page } from '../../ui/page/page.tsx';
import { DeleteSourceDialog, SourceDialog } from './source-dialogs.tsx';
import { SourceTabs } from './source-tabs.tsx';

export const SourceScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const [asked, ask] = useState<'edit' | 'delete' | undefined>();
  const source = useQuery(sourceQuery(id));
  const save = useDownload();
  const back = { href: '/sources', label: t.sources.title };
  const importFiles = useImport(id);
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
              <Button icon="upload" onClick={() => importFiles()} label={t.sources.import} />
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
      <SourceTabs sourceId={id} label={dataSourceName} count={contactCount} words={t.contacts} />
      {asked === 'edit' && <SourceDialog source={source.data} onClose={onClose} />}
      {asked === 'delete' && <DeleteSourceDialog source={source.data} onClose={onClose} />}
    </Page>
  );
};

/** The built-in list: no task calls a number on it. */
export const DoNotCallScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const save = useDownload();
  const importFiles = useImport(doNotCall.id);
  const { page, pageSize } = useAddress();
  // As the list below has read it.
  const numbers = useQuery({ ...contactsQuery(doNotCall.id, '', page, pageSize), enabled: false });
  return (
    <Page
      title={t.doNotCall.title}
      below={
        <>
          <p>{t.doNotCall.words}</p>
          <NumberNotes />
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
          {mayWrite && <Button icon="upload" onClick={() => importFiles()} label={t.sources.import} />}
        </>
      }
    >
      <SourceTabs
        sourceId={doNotCall.id}
        label={t.doNotCall.title}
        count={numbers.data?.total}
        short
        words={t.doNotCall}
      />
    </Page>
  );
};
