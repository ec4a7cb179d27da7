import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { TroubledImport } from '../../../../client/client.ts';
import { importReason } from '../../api/errors.ts';
import { instantOf, momentText, numberText, useWords } from '../../i18n/i18n.ts';
import { quoted } from '../../i18n/phrases.ts';
import { importsPath } from '../../parts/lists/import-file.ts';
import { ImportProgress, useUnfinished } from '../../parts/lists/import-progress.tsx';
import { currentImportsQuery, sourcesQuery } from '../../parts/lists/queries.ts';
import { useIsSettled } from '../../parts/tasks/queries.ts';
import { usePerson } from '../../session/session.ts';
import { Button, Icon } from '../../ui/actions/button.tsx';
import { Moment, NamedLink } from '../../ui/figures/figures.tsx';
import { List, useAddress } from '../../ui/lists/list.tsx';
import { Empty, Page } from '../../ui/page/page.tsx';
import { SourceDialog } from './source-dialogs.tsx';

/** The latest import that failed or is stuck, with the way there. */
const Trouble = ({ trouble }: { trouble: TroubledImport | undefined }) => {
  const t = useWords();
  if (trouble === undefined) return null;
  const { dataSourceId, fileName, since, status } = trouble;
  const file = quoted(fileName);
  const words = status === 'FAILED' ? t.imports.failed : t.imports.stuck;
  const [before, after] = words(file, momentText(instantOf(since))).split(file);
  return (
    <div class="sub why">
      <Icon name="warning" size={12} /> {before}
      <Link href={importsPath(dataSourceId)}>{file}</Link>
      {after}
      {importReason(trouble, t)}
    </div>
  );
};

export const SourcesScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const address = useAddress();
  const [adding, setAdding] = useState(false);
  const sources = useQuery(sourcesQuery(address.text('q'), address.page, address.pageSize));
  const current = useQuery({ ...currentImportsQuery, enabled: useIsSettled(sources.data !== undefined) });
  const unfinished = useUnfinished(current.data?.runningImports ?? []);
  const actions = mayWrite && (
    <>
      <Button icon="plus" onClick={() => setAdding(true)} label={t.sources.new} />
      <Button kind="primary" icon="upload" onClick={() => navigate('/import')} label={t.sources.importFile} />
    </>
  );
  const isEmpty = sources.data?.total === 0 && address.text('q') === '';
  return (
    <Page title={t.sources.title} actions={!isEmpty && actions}>
      <List
        query={sources}
        idOf={({ id }) => id}
        search={{ label: t.common.searchName }}
        totalWords={t.sources.total}
        noMatch={t.sources.noMatch}
        empty={
          <Empty icon="sources" title={t.sources.emptyTitle} words={t.sources.empty}>
            {actions}
          </Empty>
        }
        columns={[
          {
            title: t.common.name,
            class: 'main-cell',
            cell: ({ id, dataSourceName, dataSourceDesc }) => (
              <>
                <NamedLink href={`/sources/${id}`} name={dataSourceName} below={dataSourceDesc} />
                {unfinished
                  .filter(({ dataSourceId }) => dataSourceId === id)
                  .map((each) => (
                    <ImportProgress key={each.importId} found={each} />
                  ))}
                <Trouble trouble={current.data?.imports.find(({ dataSourceId }) => dataSourceId === id)} />
              </>
            ),
          },
          { title: t.contacts.title, class: 'number', cell: (source) => numberText(source.contactCount) },
          { title: t.common.created, class: 'wide', cell: (source) => <Moment time={source.createTime} /> },
          { title: t.common.changed, class: 'wide', cell: (source) => <Moment time={source.updateTime} /> },
        ]}
      />
      {adding && <SourceDialog onClose={() => setAdding(false)} />}
    </Page>
  );
};
