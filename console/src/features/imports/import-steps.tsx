import type { ImportPreview, ImportStatus } from '../../../../client/answers.ts';
import { troubleWords } from '../../api/errors.ts';
import { numberText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Button, Refused } from '../../ui/actions/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import type { Preview } from './preview.tsx';

/** Rows among which the titles are looked for. */
const headerRows = 20;

type ReadingProps = { file: File; error: unknown; leaveWords: string; onLeave: () => void };

/** Until a file is read, or where it cannot be read. */
export const ReadingStep = ({ file, error, leaveWords, onLeave }: ReadingProps) => {
  const t = useWords();
  if (!error) {
    return (
      <p class="card padded" role="status">
        {t.import.reading}: <bdi>{file.name}</bdi>
      </p>
    );
  }
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

/** The sheet, and the row with the titles. */
export const PlaceFields = ({ shown, readFrom }: Pick<Preview, 'readFrom'> & { shown: ImportPreview }) => {
  const t = useWords();
  const rows = Array.from({ length: headerRows + 1 }, (_, row) => ({
    value: String(row),
    label: row === 0 ? t.import.noTitles : numberText(row),
  }));
  return (
    <>
      {shown.sheets.length > 1 && (
        <SelectField
          label={t.import.sheet}
          value={shown.sheet}
          options={shown.sheets.map((name) => ({ value: name, label: name }))}
          onValue={(name) => readFrom(name)}
        />
      )}
      <SelectField
        label={t.import.headerRow}
        value={String(shown.headerRow)}
        options={rows}
        onValue={(row) => readFrom(shown.sheet, Number(row))}
      />
    </>
  );
};
