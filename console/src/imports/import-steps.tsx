import type { ImportStatus } from '../../../client/answers.ts';
import { troubleOf, troubleWords } from '../api/errors.ts';
import { numberText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Refused } from '../ui/refused.tsx';
import { ColumnTable } from './columns.tsx';
import { CountryNote, NumberNotes } from './country-note.tsx';
import { reasonsOf } from './import-result.tsx';
import type { OnDuplicate } from './requests.ts';
import type { Preview } from './use-preview.ts';

/** Rows among which the titles are looked for. */
const headerRows = 20;

type Leave = { leaveWords: string; onLeave: () => void };

export const ReadingStep = ({ file }: { file: File }) => {
  const t = useWords();
  return (
    <p class="card padded" role="status">
      {t.import.reading}: <bdi>{file.name}</bdi>
    </p>
  );
};

export const UnreadableStep = ({ error, leaveWords, onLeave }: Leave & { error: unknown }) => {
  const t = useWords();
  return (
    <div class="card padded stack">
      <h2>{t.import.failed}</h2>
      <Refused words={troubleWords(error, t)} />
      <div>
        <Button kind="primary" onClick={onLeave} label={leaveWords} />
      </div>
    </div>
  );
};

/** Rows done of rows in all, once the import tells. */
export const RunningStep = ({ file, report }: { file: File; report: ImportStatus | undefined }) => {
  const t = useWords();
  const { importCount = 0, successCount = 0, failCount = 0 } = report ?? {};
  const done = successCount + failCount;
  return (
    <div class="card padded stack">
      <p role="status">
        {t.import.running} <bdi>{file.name}</bdi>
        {importCount > 0 && `: ${t.import.progress(done, importCount)}`}
      </p>
      <progress
        {...(importCount > 0 ? { max: importCount, value: done } : {})}
        aria-label={t.import.running}
      />
    </div>
  );
};

type PlaceProps = {
  preview: Preview;
  newList: { name: string; error: string | undefined; onName: (name: string) => void } | undefined;
  onDuplicate: OnDuplicate;
  setOnDuplicate: (next: OnDuplicate) => void;
};

const PlaceFields = ({ preview, newList, onDuplicate, setOnDuplicate }: PlaceProps) => {
  const t = useWords();
  const { shown, readFrom } = preview;
  const sheet = shown?.sheet ? { sheet: shown.sheet } : {};
  const rows = Array.from({ length: headerRows + 1 }, (_, row) => ({
    value: String(row),
    label: row === 0 ? t.import.noTitles : numberText(row),
  }));
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
      {shown && shown.sheets.length > 1 && (
        <SelectField
          label={t.import.sheet}
          value={shown.sheet}
          options={shown.sheets.map((name) => ({ value: name, label: name }))}
          onValue={(name) => readFrom({ sheet: name })}
        />
      )}
      {shown && (
        <SelectField
          label={t.import.headerRow}
          value={String(shown.headerRow)}
          options={rows}
          onValue={(row) => readFrom({ ...sheet, headerRow: Number(row) })}
        />
      )}
      <SelectField
        label={t.import.onDuplicate}
        value={onDuplicate}
        options={(['skip', 'update'] as const).map((value) => ({ value, label: t.import[value] }))}
        onValue={(value) => setOnDuplicate(value as OnDuplicate)}
      />
    </div>
  );
};

/** What an import would come to: rows that would be imported, and the others by reason. */
export type Forecast = { successCount: number; failCount: number; rejected: Record<string, number> };

type ColumnsProps = PlaceProps &
  Leave & {
    file: File;
    forecast: Forecast | undefined;
    busy: boolean;
    refused: string | undefined;
    /** The rows could not be checked: how many will be imported is not known. */
    isUnchecked: boolean;
    onImport: () => void;
  };

/** What each column becomes, before the import begins. */
export const ColumnsStep = (props: ColumnsProps) => {
  const { file, preview, forecast, isUnchecked } = props;
  const { shown, fault, isStraight, isReady } = preview;
  const t = useWords();
  const isUnknown = isStraight || isUnchecked;
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
          <span class="faint">{isStraight ? t.import.largeFile : t.import.rows(shown?.rowCount ?? 0)}</span>
        </p>
        <PlaceFields {...props} />
        <CountryNote />
        {shown?.check && <NumberNotes check={shown.check} />}
        <Refused words={troubleOf(preview.error, t).whole} />
      </div>
      {shown && <ColumnTable columns={shown.columns} chosen={preview.chosen} onChoose={preview.mapColumns} />}
      <div class="toolbar row wrap">
        <Button
          kind="primary"
          type="submit"
          busy={props.busy}
          disabled={!isReady || !(isUnknown || (forecast !== undefined && forecast.successCount > 0))}
          label={
            isUnknown || forecast === undefined ? t.sources.import : t.import.start(forecast.successCount)
          }
        />
        <Button kind="quiet" onClick={props.onLeave} label={props.leaveWords} />
        {forecast && forecast.failCount > 0 && (
          <span role="status">
            {t.import.notImported(forecast.failCount)}{' '}
            <span class="faint">{reasonsOf(forecast.rejected, t)}</span>
          </span>
        )}
        {fault && <span class="refused">{t.import[fault]}</span>}
        <Refused words={props.refused} />
      </div>
    </form>
  );
};
