import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { isBuiltIn } from '../../../../shared/platform/rules/names.ts';
import { importLimit } from '../../base/page-settings.ts';
import { useWords } from '../../i18n/i18n.ts';
import { sourcePath, takeOver } from '../../parts/lists/import-file.ts';
import { UnfinishedImports } from '../../parts/lists/import-progress.tsx';
import { sourceQuery } from '../../parts/lists/queries.ts';
import button from '../../ui/actions/button.module.css';
import { Icon, Refused } from '../../ui/actions/button.tsx';
import { DropZone } from '../../ui/fields/drop-zone.tsx';
import { Table, textColumn } from '../../ui/lists/table.tsx';
import { Awaited, Page } from '../../ui/page/page.tsx';
import { ImportOne } from './import-one.tsx';
import { countsOf, type Ended, ImportResult } from './import-result.tsx';
import css from './import-screen.module.css';
import { useFallenFocus } from './import-steps.tsx';
import { type Layouts, titlesOf } from './preview.tsx';
import type { OnDuplicate } from './requests.ts';

type FilesProps = { files: readonly File[]; at: number; ended: readonly Ended[] };

/** A line for each of several files: what came of it, or that its turn will come. */
const FileLines = ({ files, at, ended }: FilesProps) => {
  const t = useWords();
  const stateOf = (file: File) => {
    const report = ended.find((each) => each.file === file)?.report;
    const index = files.indexOf(file);
    if (report) return t.import.summary(countsOf([report]));
    return index < at ? t.imports.notImported : index === at ? t.import.current : t.imports.status.WAITING;
  };
  return (
    <div class="card table-card">
      <Table
        rows={files}
        idOf={(file) => files.indexOf(file)}
        columns={[
          textColumn(t.imports.file, ({ name }: File) => name),
          { title: t.tasks.state, class: 'main-cell', cell: stateOf },
        ]}
      />
      {at < files.length && <p class="pager row faint">{t.import.sameTitles}</p>}
    </div>
  );
};

type ImportProps = { files: readonly File[]; sourceId: string | undefined; onAnother: () => void };

/** The files one after another, then what came of all of them. */
const ImportFiles = ({ files, sourceId, onAnother }: ImportProps) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const [target, setTarget] = useState(sourceId);
  const [at, setAt] = useState(0);
  const [ended, setEnded] = useState<readonly Ended[]>([]);
  const [layouts, setLayouts] = useState<Layouts>(new Map());
  const [onDuplicate, setOnDuplicate] = useState<OnDuplicate>('skip');
  // The next file, such as the fixed rows, goes to the same list.
  const another =
    target === undefined || target === sourceId ? onAnother : () => navigate(`${sourcePath(target)}/import`);
  const file = files[at];
  const isSeveral = files.length > 1;
  const leave = () => (at + 1 === files.length && ended.length === 0 ? another() : setAt(at + 1));
  return (
    <>
      {isSeveral && <FileLines {...{ files, at, ended }} />}
      {file === undefined && target !== undefined ? (
        <ImportResult sourceId={target} ended={ended} onAnother={another} />
      ) : (
        file && (
          <ImportOne
            key={at}
            {...{ file, target, layouts, onDuplicate, setOnDuplicate }}
            onTarget={setTarget}
            onEnd={(report, { shown, reading }) => {
              if (shown) setLayouts(new Map(layouts).set(titlesOf(shown), reading.mapping));
              setEnded([...ended, { file, report }]);
              setAt(at + 1);
            }}
            leaveWords={isSeveral ? t.import.leave : t.import.otherFile}
            onLeave={leave}
          />
        )
      )}
    </>
  );
};

type ChooseFilesProps = { isAfterStep: boolean; onFiles: (files: readonly File[]) => void };

const ChooseFiles = ({ isAfterStep, onFiles }: ChooseFilesProps) => (
  <label class={`${button.button} row primary cover`}>
    <span>{useWords().import.choose}</span>
    <input
      ref={useFallenFocus<HTMLInputElement>(isAfterStep)}
      type="file"
      multiple
      accept=".csv,.gz,.txt,.tsv,.xlsx,.xlsm,.xls,.xlsb,.ods"
      onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
    />
  </label>
);

/** The files to import, chosen or dropped here, or dropped on the screen before. */
const ImportTarget = ({ sourceId }: { sourceId: string | undefined }) => {
  const t = useWords();
  const [files, setFiles] = useState<readonly File[]>(takeOver);
  const [count, setCount] = useState(0);
  const [error, setError] = useState<string | undefined>();
  const { rows, megabytes } = importLimit;
  const take = (next: readonly File[]) => {
    const taken = next.filter(({ size }) => size <= megabytes * 1024 * 1024);
    setError(taken.length < next.length ? t.errors.codes.FILE_TOO_LARGE : undefined);
    if (taken.length === 0) return;
    setFiles(taken);
    setCount(count + 1);
  };
  return (
    <>
      <DropZone onFiles={take} label={t.sources.dropHere} />
      {files.length === 0 && sourceId !== undefined && <UnfinishedImports sourceId={sourceId} />}
      {files.length === 0 ? (
        <div class={`card ${css.chooser} stack`}>
          <Icon name="upload" size={28} />
          <p>{t.import.drop}</p>
          <ChooseFiles isAfterStep={count > 0} onFiles={take} />
          <p class="faint">{t.import.kinds(rows, megabytes)}</p>
          <Refused words={error} />
        </div>
      ) : (
        <>
          <Refused words={error} />
          <ImportFiles key={count} sourceId={sourceId} files={files} onAnother={() => setFiles([])} />
        </>
      )}
    </>
  );
};

/** Imports into the list `id`; without an id, into a new list. */
export const ImportScreen = ({ params: { id = '' } }: { params: { id?: string } }) => {
  const t = useWords();
  const source = useQuery({ ...sourceQuery(isBuiltIn(id) ? '' : id), refetchInterval: false });
  const name = isBuiltIn(id) ? t.doNotCall.title : source.data?.dataSourceName;
  const isKnown = id === '' || name !== undefined;
  return (
    <Page
      title={id === '' ? t.sources.importFile : name ? t.import.title(name) : t.sources.import}
      back={name ? { href: sourcePath(id), label: name } : { href: '/sources', label: t.sources.title }}
    >
      {isKnown ? <ImportTarget key={id} sourceId={id || undefined} /> : <Awaited query={source} />}
    </Page>
  );
};
