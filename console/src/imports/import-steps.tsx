import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { troubleOf, troubleWords } from '../api/errors.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Refused } from '../ui/refused.tsx';
import { ColumnTable, suspiciousIn } from './columns.tsx';
import { isOf } from './import-entry.ts';
import { importsQuery } from './queries.ts';
import { checkImport } from './requests.ts';
import type { Preview } from './use-preview.ts';

/** Rows among which the titles are looked for. */
const headerRows = 20;
const progressMs = 1000;

export const ReadingStep = ({ file }: { file: File }) => {
  const t = useWords();
  return (
    <p class="card padded" role="status">
      {t.import.reading}: <bdi>{file.name}</bdi>
    </p>
  );
};

export const UnreadableStep = ({ error, onAnother }: { error: unknown; onAnother: () => void }) => {
  const t = useWords();
  return (
    <div class="card padded stack">
      <h2>{t.import.failed}</h2>
      <Refused words={troubleWords(error, t)} />
      <div>
        <Button kind="primary" onClick={onAnother} label={t.import.otherFile} />
      </div>
    </div>
  );
};

/** How many rows are done, as the list of imports says. */
export const RunningStep = ({ sourceId, file, rows }: { sourceId: string; file: File; rows: number }) => {
  const t = useWords();
  const imports = useQuery({ ...importsQuery(sourceId, 1, 20), refetchInterval: progressMs });
  const running = imports.data?.rows.find((row) => row.status === 'RUNNING' && isOf(row, file.name));
  const done = (running?.successCount ?? 0) + (running?.failCount ?? 0);
  return (
    <div class="card padded stack">
      <p role="status">
        {t.import.running}
        {rows > 0 && `: ${t.import.progress(Math.min(done, rows), rows)}`}
      </p>
      {/* The rows of a file that goes straight to storage are not counted before. */}
      <progress {...(rows > 0 ? { max: rows, value: done } : {})} aria-label={t.import.running} />
    </div>
  );
};

type NewList = { name: string; error: string | undefined; onName: (name: string) => void };

const PlaceFields = ({ preview, newList }: { preview: Preview; newList: NewList | undefined }) => {
  const t = useWords();
  const { shown, options, setPlace } = preview;
  const sheets = shown?.sheets ?? [];
  return (
    <div class="grid">
      {newList && (
        <TextField
          label={t.import.sourceName}
          value={newList.name}
          error={newList.error}
          onValue={newList.onName}
        />
      )}
      {sheets.length > 1 && (
        <SelectField
          label={t.import.sheet}
          value={options.sheet ?? ''}
          options={sheets.map((sheet) => ({ value: sheet, label: sheet }))}
          onValue={(sheet) => setPlace({ sheet })}
        />
      )}
      {!preview.isStraight && (
        <SelectField
          label={t.import.headerRow}
          value={String(options.headerRow ?? 1)}
          options={Array.from({ length: headerRows }, (_, i) => String(i + 1)).map((row) => ({
            value: row,
            label: row,
          }))}
          onValue={(row) =>
            setPlace({ ...(options.sheet ? { sheet: options.sheet } : {}), headerRow: Number(row) })
          }
        />
      )}
      <SelectField
        label={t.import.onDuplicate}
        value={options.onDuplicate}
        options={(['skip', 'update'] as const).map((value) => ({ value, label: t.import[value] }))}
        onValue={(value) => preview.setOnDuplicate(value === 'update' ? 'update' : 'skip')}
      />
    </div>
  );
};

type ColumnsProps = {
  file: File;
  /** Absent for a list that does not exist yet. */
  target: string | undefined;
  preview: Preview;
  newList: NewList | undefined;
  busy: boolean;
  refused: string | undefined;
  onImport: () => void;
  onAnother: () => void;
};

/** What each column becomes, before the import begins. */
export const ColumnsStep = (props: ColumnsProps) => {
  const { file, target, preview } = props;
  const { columns, rows, mapping, options, fault, isStraight, isReady } = preview;
  const t = useWords();
  const checking = useMutation({ mutationFn: () => checkImport(target, file, options) });
  useEffect(() => checking.reset(), [JSON.stringify(options)]);
  const seenWords =
    fault === 'noPhone' || rows === 0
      ? t.import.rows(rows)
      : t.import.rowsSeen(rows, suspiciousIn(columns, mapping));
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onImport();
      }}
    >
      <div class="card padded stack">
        <p>
          <Icon name="file" /> <bdi class="strong">{file.name}</bdi>{' '}
          <span class="faint">{isStraight ? t.import.largeFile : seenWords}</span>
        </p>
        <PlaceFields preview={preview} newList={props.newList} />
        <Refused words={troubleOf(preview.error, t).whole} />
      </div>
      {preview.shown && <ColumnTable columns={columns} mapping={mapping} onMapping={preview.setMapping} />}
      <div class="toolbar row wrap">
        <Button
          kind="primary"
          type="submit"
          busy={props.busy}
          disabled={!isReady}
          label={isStraight ? t.sources.import : t.import.start(rows)}
        />
        {!isStraight && (
          <Button
            busy={checking.isPending}
            disabled={!isReady}
            onClick={() => checking.mutate()}
            label={t.import.check}
          />
        )}
        <Button kind="quiet" onClick={props.onAnother} label={t.import.otherFile} />
        {checking.data && (
          <span role="status">{t.import.checked(checking.data.successCount, checking.data.failCount)}</span>
        )}
        {fault && <span class="refused">{t.import[fault]}</span>}
        <Refused words={props.refused ?? troubleOf(checking.error, t).whole} />
      </div>
    </form>
  );
};
