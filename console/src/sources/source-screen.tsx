import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { numberText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { useImportAt } from '../imports/import-file.ts';
import { usePerson } from '../session/person.ts';
import { useImports, useSource } from '../tasks/queries.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button } from '../ui/button.tsx';
import { DropZone } from '../ui/drop-zone.tsx';
import { Empty } from '../ui/empty.tsx';
import { Menu } from '../ui/menu.tsx';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { TextCell } from '../ui/text-cell.tsx';
import { useAddress, useExistingPage } from '../ui/use-address.ts';
import { useDownload } from '../ui/use-download.ts';
import { ContactTable } from './contact-table.tsx';
import { SourceDialog } from './sources-screen.tsx';
import '../ui/tabs.css';

const importPageSize = 20;

/** Which files came in, how each ended, and what of them was rejected. */
export const ImportHistory = ({ sourceId }: { sourceId: string }) => {
  const t = useWords();
  const address = useAddress();
  const imports = useImports(sourceId, address.page);
  useExistingPage(address, imports, importPageSize);
  const rows = imports.data?.rows ?? [];
  const save = useDownload();
  const words = t.sources.imports;
  if (imports.data === undefined) return <Awaited query={imports} />;
  if (imports.data.total === 0) return <Empty icon="file" words={words.empty} />;
  return (
    <div class="card table-card">
      <table class="table">
        <thead>
          <tr>
            <th>{words.file}</th>
            <th>{words.state}</th>
            <th class="number wide">{words.rows}</th>
            <th class="number">{words.imported}</th>
            <th class="number">{words.rejected}</th>
            <th class="wide">{words.time}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <tr key={entry.importId}>
              <TextCell text={entry.fileName} />
              <td>{words.status[entry.status]}</td>
              <td class="number wide">{numberText(entry.importCount ?? 0)}</td>
              <td class="number">{numberText(entry.successCount ?? 0)}</td>
              <td class="number">
                {(entry.failCount ?? 0) > 0 && entry.status === 'DONE' ? (
                  <button
                    type="button"
                    class="text-button"
                    title={t.import.downloadRejected}
                    onClick={() => save.mutate(rejectedPath(sourceId, entry.importId))}
                  >
                    {numberText(entry.failCount ?? 0)}
                    <span class="hidden">{t.import.downloadRejected}</span>
                  </button>
                ) : (
                  numberText(entry.failCount ?? 0)
                )}
              </td>
              <td class="wide">
                <Moment time={entry.createTime} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager
        total={imports.data?.total ?? 0}
        page={address.page}
        pageSize={importPageSize}
        onPage={address.toPage}
      />
    </div>
  );
};

type Tab = 'contacts' | 'imports';

export const tabOf = (address: ReturnType<typeof useAddress>): Tab =>
  address.text('tab') === 'imports' ? 'imports' : 'contacts';

/** The contacts of a list, and the files that they came in. */
export const SourceTabs = ({
  path,
  label,
  tab,
  count,
}: {
  path: string;
  label: string;
  tab: Tab;
  count?: number;
}) => {
  const t = useWords();
  return (
    <nav class="tabs" aria-label={label}>
      <Link href={path} class="tab" aria-current={tab === 'contacts' ? 'page' : undefined}>
        {t.sources.tabContacts}
        {count !== undefined && <span class="tab-count">{numberText(count)}</span>}
      </Link>
      <Link href={`${path}?tab=imports`} class="tab" aria-current={tab === 'imports' ? 'page' : undefined}>
        {t.sources.tabImports}
      </Link>
    </nav>
  );
};

export const rejectedPath = (sourceId: string, importId: string): string =>
  `/api/dataSource/${encodeURIComponent(sourceId)}/contact/import/${encodeURIComponent(importId)}/rejected?format=excel`;

const exportPath = (id: string, format: 'excel' | 'csv') =>
  `/api/dataSource/${encodeURIComponent(id)}/contact/batchExport?format=${format}`;

export const SourceScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const address = useAddress();
  const [editing, setEditing] = useState(false);
  const source = useSource(id);
  const save = useDownload();
  const tab = tabOf(address);
  const back = { href: '/sources', label: t.sources.title };
  const importing = useImportAt(`/sources/${id}/import`);
  if (source.data === undefined) {
    return (
      <Page title={t.sources.title} back={back}>
        <Awaited query={source} gone={t.sources.notFound} />
      </Page>
    );
  }
  return (
    <Page
      title={source.data.dataSourceName}
      back={back}
      below={source.data.dataSourceDesc && <bdi>{source.data.dataSourceDesc}</bdi>}
      actions={
        <>
          {mayWrite && (
            <>
              <Button icon="upload" onClick={importing.open}>
                {t.sources.import}
              </Button>
              <Button kind="primary" icon="plus" onClick={() => navigate(`/tasks/new?source=${id}`)}>
                {t.sources.newTask}
              </Button>
            </>
          )}
          <Menu
            label={t.common.more}
            items={[
              ...(mayWrite ? [{ label: t.sources.edit, onChoose: () => setEditing(true) }] : []),
              {
                label: t.sources.exportExcel,
                icon: 'download',
                onChoose: () => save.mutate(exportPath(id, 'excel')),
              },
              {
                label: t.sources.exportCsv,
                icon: 'download',
                onChoose: () => save.mutate(exportPath(id, 'csv')),
              },
            ]}
          />
        </>
      }
    >
      <SourceTabs
        path={`/sources/${id}`}
        label={source.data.dataSourceName}
        tab={tab}
        count={source.data.contactCount}
      />
      <DropZone onFile={mayWrite ? importing.drop : undefined} label={t.sources.dropHere}>
        {tab === 'contacts' ? (
          <ContactTable
            sourceId={id}
            deleteWords={t.contacts.deleteWords}
            empty={{ title: t.contacts.emptyTitle, words: t.contacts.empty }}
            addLabel={t.contacts.add}
            searchLabel={t.contacts.search}
            importLabel={t.sources.import}
            onImport={importing.open}
          />
        ) : (
          <ImportHistory sourceId={id} />
        )}
      </DropZone>
      {editing && <SourceDialog source={source.data} onClose={() => setEditing(false)} />}
    </Page>
  );
};
