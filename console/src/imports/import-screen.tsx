import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ServiceRefusal } from '../../../client/service-error.ts';
import { troubleOf, troubleWords } from '../api/errors.ts';
import { doNotCall } from '../do-not-call/do-not-call-screen.tsx';
import { useWords } from '../i18n/i18n.ts';
import { useAddSource } from '../tasks/changes.ts';
import { useSource } from '../tasks/queries.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button } from '../ui/button.tsx';
import { DropZone } from '../ui/drop-zone.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { ColumnTable, changesOf, type Mapping, mappingFault, mappingOf, suspiciousIn } from './columns.tsx';
import { isOf } from './import-entry.ts';
import { takeOver } from './import-file.ts';
import { ImportResult } from './import-result.tsx';
import {
  checkImport,
  checkNewImport,
  goesStraight,
  type ImportOptions,
  latestImports,
  preview,
  runImport,
} from './requests.ts';
import './import-screen.css';

const largest = 10 * 1024 * 1024;

const FileChooser = ({ onFile, error }: { onFile: (file: File) => void; error?: string | undefined }) => {
  const t = useWords();
  return (
    <div class="card padded chooser">
      <Icon name="upload" size={28} />
      <p>{t.import.drop}</p>
      <label class="button primary file-button">
        <span>{t.import.choose}</span>
        <input
          type="file"
          accept=".csv,.txt,.tsv,.xlsx,.xlsm,.xls,.xlsb,.ods"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file !== undefined) onFile(file);
          }}
        />
      </label>
      <p class="faint">{t.import.kinds}</p>
      <Refused words={error} />
    </div>
  );
};

/** How far the import of the file is, as the list of imports tells. */
const Progress = ({ sourceId, fileName, all }: { sourceId: string; fileName: string; all: number }) => {
  const t = useWords();
  const imports = useQuery({
    queryKey: ['running-imports', sourceId],
    queryFn: () => latestImports(sourceId),
    refetchInterval: 1000,
  });
  const running = imports.data?.find((row) => row.status === 'RUNNING' && isOf(row, fileName));
  const done = (running?.successCount ?? 0) + (running?.failCount ?? 0);
  return (
    <div class="card padded progress">
      <p role="status">
        {t.import.running}
        {all > 0 && `: ${t.import.progress(Math.min(done, all), all)}`}
      </p>
      {/* How many rows there are is not known of a file that goes straight to storage. */}
      <progress {...(all > 0 ? { max: all, value: done } : {})} aria-label={t.import.running} />
    </div>
  );
};

const baseName = (file: File) => file.name.replace(/\.[^.]+$/, '').slice(0, 100);

/** One file on its way in: what its columns become, then what came of it. */
const ImportOne = ({
  sourceId,
  file,
  onAnother,
}: {
  sourceId: string | undefined;
  file: File;
  onAnother: () => void;
}) => {
  const t = useWords();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState(baseName(file));
  const [place, setPlace] = useState<{ sheet?: string; headerRow?: number }>({});
  const [mapping, setMapping] = useState<Mapping>({});
  const [onDuplicate, setOnDuplicate] = useState<'skip' | 'update'>('skip');
  const [target, setTarget] = useState(sourceId);
  // A preview stores nothing: one for a list that is yet to be made asks the list that is always there.
  const seen = useQuery({
    queryKey: ['preview', sourceId, file.name, file.lastModified, file.size, place],
    queryFn: () => preview(sourceId ?? doNotCall, file, place),
    enabled: !goesStraight(file),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    placeholderData: (before) => before,
  });
  // Without a preview columns are found by their titles alone.
  const unseen = seen.error instanceof ServiceRefusal && seen.error.code === 404;
  const straight = goesStraight(file) || unseen;
  // Kept while another row or sheet cannot be read, so that a third can be chosen.
  const [shown, setShown] = useState(seen.data);
  useEffect(() => {
    if (!seen.data) return;
    setShown(seen.data);
    setMapping(mappingOf(seen.data.columns));
  }, [seen.data]);
  const columns = shown?.columns ?? [];
  const rows = shown?.rowCount ?? 0;
  const [sheet, headerRow] = [place.sheet ?? shown?.sheet, place.headerRow ?? shown?.headerRow];
  const options: ImportOptions = {
    ...(sheet ? { sheet } : {}),
    ...(headerRow === undefined ? {} : { headerRow }),
    mapping: changesOf(columns, mapping),
    onDuplicate,
  };
  const adding = useAddSource();
  const checking = useMutation({
    mutationFn: () =>
      target === undefined ? checkNewImport(doNotCall, file, options) : checkImport(target, file, options),
  });
  useEffect(() => checking.reset(), [JSON.stringify(options)]);
  const running = useMutation({
    mutationFn: async () => {
      const id = target ?? (await adding.mutateAsync({ dataSourceName: name.trim() })).id;
      setTarget(id);
      return runImport(id, file, options);
    },
    onSettled: () =>
      Promise.all(
        ['contacts', 'source', 'sources', 'imports', 'newest-import'].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
  const path = target === doNotCall ? '/do-not-call' : `/sources/${target}`;
  // The next file, such as the rows that were mended, goes where this one went, or was to go.
  const another = target === sourceId ? onAnother : () => navigate(`${path}/import`);
  if (running.data && target !== undefined) {
    return (
      <ImportResult
        sourceId={target}
        fileName={file.name}
        report={running.data}
        sourcePath={path}
        onAnother={another}
      />
    );
  }
  if (running.isPending && target !== undefined)
    return <Progress sourceId={target} fileName={file.name} all={rows} />;
  if (seen.isError && !shown && !straight) return <FileFailed error={seen.error} onAnother={onAnother} />;
  if (!shown && !straight) {
    return (
      <p class="card padded" role="status">
        {t.import.reading}: <bdi>{file.name}</bdi>
      </p>
    );
  }
  const fault = straight ? undefined : mappingFault(mapping);
  // What is shown is then another sheet or row than the one to import.
  const unready =
    fault !== undefined || (!straight && (rows === 0 || seen.isError || seen.isPlaceholderData));
  const trouble = troubleOf(adding.error, t, { taken: 'dataSourceName', shown: ['dataSourceName'] });
  return (
    <form
      class="import-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        running.mutate();
      }}
    >
      <div class="card padded form-section">
        <p>
          <Icon name="file" /> <bdi class="strong">{file.name}</bdi>{' '}
          {straight ? (
            <span class="faint">{t.import.largeFile}</span>
          ) : (
            <span class="faint">
              {fault === 'noPhone' || rows === 0
                ? t.import.rows(rows)
                : t.import.rowsSeen(rows, suspiciousIn(columns, mapping))}
            </span>
          )}
        </p>
        <div class="grid">
          {target === undefined && (
            <TextField
              label={t.import.sourceName}
              value={name}
              error={trouble.fields.dataSourceName}
              onValue={(value) => {
                adding.reset();
                setName(value);
              }}
            />
          )}
          {(shown?.sheets.length ?? 0) > 1 && (
            <SelectField
              label={t.import.sheet}
              value={sheet ?? ''}
              options={(shown?.sheets ?? []).map((sheet) => ({ value: sheet, label: sheet }))}
              onValue={(sheet) => setPlace({ sheet })}
            />
          )}
          {!straight && (
            <SelectField
              label={t.import.headerRow}
              value={String(headerRow ?? 1)}
              options={Array.from({ length: 20 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }))}
              onValue={(row) =>
                setPlace({
                  ...(sheet ? { sheet } : {}),
                  headerRow: Number(row),
                })
              }
            />
          )}
          <SelectField
            label={t.import.known}
            value={onDuplicate}
            options={[
              { value: 'skip', label: t.import.skip },
              { value: 'update', label: t.import.update },
            ]}
            onValue={(value) => setOnDuplicate(value === 'update' ? 'update' : 'skip')}
          />
        </div>
        {!unseen && <Refused words={troubleOf(seen.error, t).whole} />}
      </div>
      {shown && <ColumnTable columns={columns} mapping={mapping} onMapping={setMapping} />}
      <div class="toolbar import-actions">
        <Button kind="primary" type="submit" busy={running.isPending} disabled={unready}>
          {straight ? t.sources.import : t.import.start(rows)}
        </Button>
        {!straight && (
          <Button busy={checking.isPending} disabled={unready} onClick={() => checking.mutate()}>
            {t.import.check}
          </Button>
        )}
        <Button kind="quiet" onClick={another}>
          {t.import.otherFile}
        </Button>
        {checking.data && (
          <span role="status">{t.import.checked(checking.data.successCount, checking.data.failCount)}</span>
        )}
        {fault && <span class="refused">{fault === 'noPhone' ? t.import.noPhone : t.import.twice}</span>}
        <Refused
          words={trouble.whole ?? troubleOf(adding.error ? null : (running.error ?? checking.error), t).whole}
        />
      </div>
    </form>
  );
};

const FileFailed = ({ error, onAnother }: { error: unknown; onAnother: () => void }) => {
  const t = useWords();
  return (
    <div class="card padded form-section">
      <h2>{t.import.failed}</h2>
      <Refused words={troubleWords(error, t)} />
      <div>
        <Button kind="primary" onClick={onAnother}>
          {t.import.otherFile}
        </Button>
      </div>
    </div>
  );
};

const ImportPage = ({
  title,
  back,
  sourceId,
}: {
  title: string;
  back: { href: string; label: string };
  sourceId: string | undefined;
}) => {
  const t = useWords();
  const [file, setFile] = useState<File | undefined>(takeOver);
  const [count, setCount] = useState(0);
  const [error, setError] = useState<string | undefined>();
  const take = (next: File) => {
    setError(next.size > largest ? t.import.tooLarge : undefined);
    if (next.size > largest) return;
    setFile(next);
    setCount(count + 1);
  };
  return (
    <Page title={title} back={back}>
      <DropZone onFile={take} label={t.sources.dropHere}>
        {file === undefined ? (
          <FileChooser onFile={take} error={error} />
        ) : (
          <>
            <Refused words={error} />
            <ImportOne key={count} sourceId={sourceId} file={file} onAnother={() => setFile(undefined)} />
          </>
        )}
      </DropZone>
    </Page>
  );
};

export const ImportIntoSourceScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const source = useSource(id);
  if (source.data === undefined) {
    return (
      <Page title={t.sources.import} back={{ href: '/sources', label: t.sources.title }}>
        <Awaited query={source} gone={t.sources.notFound} />
      </Page>
    );
  }
  const name = source.data.dataSourceName;
  return (
    <ImportPage title={t.import.title(name)} back={{ href: `/sources/${id}`, label: name }} sourceId={id} />
  );
};

export const ImportNewScreen = () => {
  const t = useWords();
  return (
    <ImportPage
      title={t.import.newTitle}
      back={{ href: '/sources', label: t.sources.title }}
      sourceId={undefined}
    />
  );
};

export const ImportDoNotCallScreen = () => {
  const t = useWords();
  const back = { href: '/do-not-call', label: t.doNotCall.title };
  return <ImportPage title={t.import.title(t.doNotCall.title)} back={back} sourceId={doNotCall} />;
};
