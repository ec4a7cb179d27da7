import { useQuery } from '@tanstack/preact-query';
import type { ImportEntry } from '../../../../client/answers.ts';
import { importReason } from '../../api/errors.ts';
import { numberText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';
import { importsPath, sourcePath, useImport } from '../../parts/lists/import-file.ts';
import { ImportProgress, UnfinishedImports } from '../../parts/lists/import-progress.tsx';
import { importsQuery, isUnfinished, rejectedPath } from '../../parts/lists/queries.ts';
import { usePerson } from '../../session/person.ts';
import { useDownload } from '../../ui/actions/use-download.ts';
import { DropZone } from '../../ui/fields/drop-zone.tsx';
import { Moment, Sub } from '../../ui/figures/facts.tsx';
import { Chip } from '../../ui/figures/standing.tsx';
import { List, useAddress } from '../../ui/lists/list.tsx';
import { textColumn } from '../../ui/lists/table.tsx';
import { Empty } from '../../ui/page/page.tsx';
import { Tabs } from '../../ui/page/tabs.tsx';
import { ContactList, type ContactListProps } from './contact-list.tsx';

const colors: Record<ImportEntry['status'], string> = {
  WAITING: '--waiting',
  RUNNING: '--reached',
  DONE: '--in-call',
  FAILED: '--failed',
};

/** Which files were imported, how each import ended, and which rows were rejected. */
const ImportHistory = ({ sourceId }: { sourceId: string }) => {
  const t = useWords();
  const address = useAddress();
  const imports = useQuery(importsQuery(sourceId, address.page, address.pageSize));
  const save = useDownload();
  const words = t.imports;
  const stateOf = (found: ImportEntry) => (
    <>
      <Chip color={colors[found.status]} active={found.status === 'RUNNING'}>
        {words.status[found.status]}
      </Chip>
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
export const SourceTabs = ({ label, count, ...list }: Props) => {
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
