import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ImportEntry } from '../../../../client/client.ts';
import { doNotCall } from '../../../../shared/contacts/rules/data-source.ts';
import { importReason } from '../../api/errors.ts';
import { numberText, useWords } from '../../i18n/i18n.ts';
import { importsPath, sourcePath, useImport } from '../../parts/lists/import-file.ts';
import { ImportProgress, NumberNotes, UnfinishedImports } from '../../parts/lists/import-progress.tsx';
import {
  contactsExport,
  contactsQuery,
  importsQuery,
  isUnfinished,
  rejectedPath,
  sourceQuery,
} from '../../parts/lists/queries.ts';
import { usePerson } from '../../session/session.ts';
import { Button } from '../../ui/actions/button.tsx';
import { useDownload } from '../../ui/actions/dialog.tsx';
import { Menu } from '../../ui/actions/menu.tsx';
import { DropZone } from '../../ui/fields/drop-zone.tsx';
import { Chip, Moment, Sub } from '../../ui/figures/figures.tsx';
import { List, useAddress } from '../../ui/lists/list.tsx';
import { textColumn } from '../../ui/lists/table.tsx';
import { Awaited, Empty, Page, Tabs } from '../../ui/page/page.tsx';
import { ContactList, type ContactListProps } from './contact-list.tsx';
import { DeleteSourceDialog, SourceDialog } from './source-dialogs.tsx';

const looks = { WAITING: 'waiting', RUNNING: 'calling', DONE: 'done', FAILED: 'trouble' } as const;

/** Which files were imported, how each import ended, and which rows were rejected. */
const ImportHistory = ({ sourceId }: { sourceId: string }) => {
  const t = useWords();
  const address = useAddress();
  const imports = useQuery(importsQuery(sourceId, address.page, address.pageSize));
  const save = useDownload();
  const words = t.imports;
  const stateOf = (found: ImportEntry) => (
    <>
      <Chip look={looks[found.status]}>{words.status[found.status]}</Chip>
      {found.status === 'FAILED' && <Sub text={importReason(found, t)} />}
      {isUnfinished(found) && <ImportProgress found={{ ...found, dataSourceId: sourceId }} isNameless />}
    </>
  );
  const rejected = ({ importId, status, failCount }: ImportEntry) =>
    failCount > 0 && status === 'DONE' ? (
      <button
        type="button"
        class="text-button bare"
        title={t.import.downloadRejected}
        onClick={() => save.mutate(rejectedPath(sourceId, importId))}
      >
        {numberText(failCount)}
        <span class="hidden">{t.import.downloadRejected}</span>
      </button>
    ) : (
      numberText(failCount)
    );
  return (
    <List
      query={imports}
      idOf={({ importId }) => importId}
      totalWords={words.total}
      cards
      empty={<Empty icon="file" words={words.empty} />}
      columns={[
        { ...textColumn(words.file, ({ fileName }: ImportEntry) => fileName), class: 'main-cell' },
        { title: t.tasks.state, class: 'whole', cell: stateOf },
        { title: words.rows, class: 'number wide', cell: ({ importCount }) => numberText(importCount) },
        { title: words.imported, class: 'number', cell: ({ successCount }) => numberText(successCount) },
        { title: words.notImported, class: 'number', cell: rejected },
        { title: words.time, class: 'wide', cell: ({ createTime }) => <Moment time={createTime} /> },
      ]}
    />
  );
};

type Props = ContactListProps & { label: string; count: number | undefined };

/** The contacts of a list, and the files that they came in; takes a file that is dropped. */
const SourceTabs = ({ label, count, ...list }: Props) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const isImports = useAddress().text('tab') === 'imports';
  const path = sourcePath(list.sourceId);
  const importFiles = useImport(list.sourceId);
  const title = list.short ? t.doNotCall.numbers : t.contacts.title;
  return (
    <>
      <Tabs
        label={label}
        tabs={[
          { href: path, label: title, count, current: !isImports },
          { href: importsPath(list.sourceId), label: t.imports.title, current: isImports },
        ]}
      />
      <DropZone onFiles={mayWrite ? importFiles : undefined} label={t.sources.dropHere} />
      {isImports ? (
        <ImportHistory sourceId={list.sourceId} />
      ) : (
        <>
          <UnfinishedImports sourceId={list.sourceId} />
          <ContactList {...list} />
        </>
      )}
    </>
  );
};

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
