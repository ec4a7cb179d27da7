import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import type { ImportPreview, ImportStatus } from '../../../../client/client.ts';
import { isBuiltIn, nameAtMost } from '../../../../shared/platform/rules/names.ts';
import { given, useRefresh } from '../../api/client.ts';
import { importReason, troubleOf } from '../../api/errors.ts';
import { type Dictionary, listText, numberText, useWords } from '../../i18n/i18n.ts';
import { addSource } from '../../parts/lists/changes.ts';
import { NumberNotes } from '../../parts/lists/import-progress.tsx';
import { importKeys, importQuery } from '../../parts/lists/queries.ts';
import { Button, Icon, Refused } from '../../ui/actions/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Facts } from '../../ui/figures/figures.tsx';
import { byCode, reasonFacts } from './import-result.tsx';
import { HeaderFields, ReadingStep, RunningStep, StepTitle } from './import-steps.tsx';
import { ColumnTable, type Layouts, type Preview, usePreview } from './preview.tsx';
import { beginImport, checkQuery, type OnDuplicate } from './requests.ts';

const baseName = (file: File) => file.name.replace(/\.[^.]+$/, '').slice(0, nameAtMost);

/** How many numbers are short, and some of them with their cells. */
const shortWords = ({ count, examples }: ImportPreview['shortNumbers'], t: Dictionary): string =>
  t.import.short(
    count,
    listText(examples.map(({ cell, phoneNumber }) => t.import.inCell(phoneNumber, cell))),
  );

/** The import of a file on this screen is asked for twice a second. */
const pollMs = 500;

const notBegun = { importCount: 0, successCount: 0, failCount: 0 };

type Props = {
  file: File;
  /** Absent for a list that does not exist yet. */
  target: string | undefined;
  onTarget: (id: string) => void;
  layouts: Layouts;
  onDuplicate: OnDuplicate;
  setOnDuplicate: (next: OnDuplicate) => void;
  onEnd: (report: ImportStatus, preview: Preview) => void;
  leaveWords: string;
  onLeave: () => void;
};

/** One file: read it, choose what its columns become, import it. A file with the titles of an earlier one begins by itself. */
export const ImportOne = (props: Props) => {
  const { file, target, onDuplicate, leaveWords, onLeave } = props;
  const t = useWords();
  const isToBeCalled = target === undefined || !isBuiltIn(target);
  const preview = usePreview(file, props.layouts, isToBeCalled);
  const { shown, fault, isPart, isStraight, isReady, isKnown } = preview;
  const [name, setName] = useState(baseName(file));
  const refresh = useRefresh(importKeys);
  const options = { ...preview.reading, onDuplicate };
  /** Absent until a long file is uploaded, and of a short file. */
  const [importId, setImportId] = useState('');
  const running = useMutation({
    mutationFn: async () => {
      const id = target ?? (await addSource({ dataSourceName: name.trim() })).id;
      props.onTarget(id);
      return beginImport(id, file, options, { ...given({ preview: shown }), isPart }, setImportId);
    },
  });
  const { data: report } = useQuery(importQuery(target, running.data, pollMs));
  const isRunning = running.isPending || (running.data !== undefined && report?.status !== 'FAILED');
  const isChecked = target !== undefined && isReady && !isPart && !isRunning;
  const checked = useQuery(checkQuery(target ?? '', file, options, isChecked));
  useEffect(() => {
    if (isKnown && isReady && running.isIdle) running.mutate();
  }, [isKnown && isReady]);
  useEffect(() => {
    if (report?.status === 'DONE') props.onEnd(report, preview);
    if (report !== undefined) void refresh();
  }, [report?.status]);

  if (isRunning && target !== undefined) {
    // A long file is on its way, or waits to be read.
    const status = importId === '' ? ('RUNNING' as const) : ('WAITING' as const);
    const found = { ...notBegun, status, ...report, importId, fileName: file.name, dataSourceId: target };
    return <RunningStep found={found} visibility={report?.visibility} />;
  }
  if (!shown && !isStraight) return <ReadingStep {...{ file, leaveWords, onLeave }} error={preview.error} />;
  const trouble = troubleOf(running.error, t, { taken: 'dataSourceName', shown: ['dataSourceName'] });
  const failed = running.data && report && `${t.import.failed} ${importReason(report, t)}`;
  // What the import would come to. A list that does not exist yet has no numbers to compare.
  const forecast =
    target === undefined
      ? isPart
        ? undefined
        : shown?.check
      : checked.data && { ...checked.data, rejected: byCode(checked.data.details) };
  const isUnknown = isPart || checked.isError;
  const rows = shown?.rowCount ?? 0;
  return (
    <form
      class="with-summary"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        running.mutate();
      }}
    >
      <div class="stack">
        <StepTitle>
          <Icon name="file" /> <bdi>{file.name}</bdi>{' '}
          <span class="faint">
            {isStraight && t.import.largeFile}
            {isPart && !isStraight && t.import.headOnly}
            {!isPart && t.import.rows(rows)}
          </span>
        </StepTitle>
        <div class="grid">
          {target === undefined && (
            <TextField
              label={t.import.sourceName}
              value={name}
              error={trouble.fields.dataSourceName}
              onValue={(next) => {
                running.reset();
                setName(next);
              }}
            />
          )}
          {shown && <HeaderFields shown={shown} readFrom={preview.readFrom} />}
        </div>
        <Refused words={troubleOf(preview.error, t).whole} />
        {shown && (
          <ColumnTable columns={shown.columns} chosen={preview.chosen} onChoose={preview.mapColumns} />
        )}
      </div>
      <aside class="summary stack" aria-label={t.import.willBeImported}>
        {forecast && !isUnknown && (
          <div>
            <p class="sub">{t.import.willBeImported}</p>
            <p class="hero">{numberText(forecast.successCount)}</p>
            <p class="sub">{t.import.ofRows(rows)}</p>
          </div>
        )}
        {forecast && forecast.failCount > 0 && (
          <div role="status">
            <p>{t.import.notImported(forecast.failCount)}</p>
            <div class="sums">
              <Facts facts={reasonFacts(forecast.rejected, t)} />
            </div>
          </div>
        )}
        {!isPart && <NumberNotes check={shown?.check} />}
        {isToBeCalled && shown && shown.shortNumbers.count > 0 && (
          <div>
            <p>{shortWords(shown.shortNumbers, t)}</p>
            <label class="row">
              <input
                type="checkbox"
                checked={preview.takesShort}
                onChange={(event) => preview.takeShort(event.currentTarget.checked)}
              />
              {t.import.takeShort}
            </label>
          </div>
        )}
        <SelectField
          label={t.import.onDuplicate}
          value={onDuplicate}
          options={(['skip', 'update'] as const).map((value) => ({ value, label: t.import[value] }))}
          onValue={(value) => props.setOnDuplicate(value as OnDuplicate)}
        />
        {fault && <p class="refused">{t.import[fault]}</p>}
        <Refused words={trouble.whole ?? failed ?? troubleOf(checked.error, t).whole} />
        <div class="actions stack">
          <Button
            kind="primary"
            type="submit"
            busy={running.isPending || checked.isFetching}
            disabled={!isReady || !(isUnknown || (forecast && forecast.successCount > 0))}
            label={
              isUnknown || !forecast ? t.import.startFile(file.name) : t.import.start(forecast.successCount)
            }
          />
          <Button onClick={onLeave} label={leaveWords} />
        </div>
      </aside>
    </form>
  );
};
