import { useMutation, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { doNotCall } from '../../../shared/domain/contacts/data-source.ts';
import { nameAtMost } from '../../../shared/domain/names.ts';
import { troubleOf } from '../api/errors.ts';
import { useRefresh } from '../api/query-client.ts';
import { useWords } from '../i18n/i18n.ts';
import { addSource } from '../sources/changes.ts';
import { sourceKeys, sourceQuery } from '../sources/queries.ts';
import { Awaited } from '../ui/awaited.tsx';
import { DropZone } from '../ui/drop-zone.tsx';
import { Icon } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { takeOver } from './import-file.ts';
import { ImportResult } from './import-result.tsx';
import './import-screen.css';
import { ColumnsStep, ReadingStep, RunningStep, UnreadableStep } from './import-steps.tsx';
import { runImport } from './requests.ts';
import { usePreview } from './use-preview.ts';

/** Bytes: the most that the service takes. */
const largest = 10 * 1024 * 1024;

const FileChooser = ({ onFile, error }: { onFile: (file: File) => void; error: string | undefined }) => {
  const t = useWords();
  return (
    <div class="card chooser stack">
      <Icon name="upload" size={28} />
      <p>{t.import.drop}</p>
      <label class="button row primary cover">
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

const baseName = (file: File) => file.name.replace(/\.[^.]+$/, '').slice(0, nameAtMost);

type OneProps = { sourceId: string | undefined; file: File; onAnother: () => void };

/** One file: read it, choose what its columns become, import it, see the result. */
const ImportOne = ({ sourceId, file, onAnother }: OneProps) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const preview = usePreview(sourceId, file);
  const [name, setName] = useState(baseName(file));
  const [target, setTarget] = useState(sourceId);
  const refresh = useRefresh(sourceKeys);
  const adding = useMutation({ mutationFn: addSource });
  const running = useMutation({
    mutationFn: async () => {
      const id = target ?? (await adding.mutateAsync({ dataSourceName: name.trim() })).id;
      setTarget(id);
      return runImport(id, file, preview.options);
    },
    onSettled: refresh,
  });
  const path = target === doNotCall.id ? '/do-not-call' : `/sources/${target}`;
  // The next file, such as the fixed rows, goes to the same list.
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
    return <RunningStep sourceId={target} file={file} rows={preview.rows} />;
  const { shown, isStraight, error } = preview;
  if (!shown && !isStraight)
    return error ? <UnreadableStep error={error} onAnother={onAnother} /> : <ReadingStep file={file} />;
  const trouble = troubleOf(adding.error, t, { taken: 'dataSourceName', shown: ['dataSourceName'] });
  const rename = (next: string) => {
    adding.reset();
    running.reset();
    setName(next);
  };
  return (
    <ColumnsStep
      file={file}
      target={target}
      preview={preview}
      newList={
        target === undefined ? { name, error: trouble.fields.dataSourceName, onName: rename } : undefined
      }
      busy={running.isPending}
      refused={trouble.whole ?? troubleOf(adding.error ? null : running.error, t).whole}
      onImport={() => running.mutate()}
      onAnother={another}
    />
  );
};

type PageProps = {
  title: string;
  back: { href: string; label: string };
  sourceId: string | undefined;
};

const ImportPage = ({ title, back, sourceId }: PageProps) => {
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
  const source = useQuery({ ...sourceQuery(id), refetchInterval: false });
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
  const back = { href: '/sources', label: t.sources.title };
  return <ImportPage title={t.sources.importFile} back={back} sourceId={undefined} />;
};

export const ImportDoNotCallScreen = () => {
  const t = useWords();
  const back = { href: '/do-not-call', label: t.doNotCall.title };
  return <ImportPage title={t.import.title(t.doNotCall.title)} back={back} sourceId={doNotCall.id} />;
};
