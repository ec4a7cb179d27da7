import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ImportPreview, ImportStatus } from '../../../../client/answers.ts';
import { troubleWords } from '../../api/errors.ts';
import { durationText, numberText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Button, Refused } from '../../ui/actions/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import type { Preview } from './preview.tsx';
import type { Sent } from './requests.ts';

/** Rows among which the titles are looked for. */
const headerRows = 20;
/** A time to go that is told earlier jumps. */
const leastSeconds = 3;
const megabytesText = (bytes: number) => numberText(Math.round(bytes / 1024 / 1024));

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

/** Seconds until all is done, at the speed since it was first seen; `undefined` until that can be told. */
const useTimeToGo = (done: number, all: number): number | undefined => {
  const first = useRef({ time: Date.now(), done, all });
  if (first.current.all !== all || first.current.done > done) first.current = { time: Date.now(), done, all };
  const seconds = (Date.now() - first.current.time) / 1000;
  const made = done - first.current.done;
  return made > 0 && seconds > leastSeconds ? ((all - done) * seconds) / made : undefined;
};

type RunningProps = {
  file: File;
  report: ImportStatus | undefined;
  sent: Sent | undefined;
  onCancel: (() => void) | undefined;
  isCancelling: boolean;
  children: ComponentChildren;
};

/** Bytes sent, then rows done of rows in all, and how long it takes. */
export const RunningStep = ({ file, report, sent, onCancel, isCancelling, children }: RunningProps) => {
  const t = useWords();
  const { importCount = 0, successCount = 0, failCount = 0 } = report ?? {};
  const isSending = report === undefined && sent !== undefined && sent.loaded < sent.total;
  const all = isSending ? sent.total : importCount;
  const done = isSending ? sent.loaded : successCount + failCount;
  const seconds = useTimeToGo(done, all);
  const progress = isSending
    ? t.import.sent(megabytesText(done), megabytesText(all))
    : t.import.progress(done, all);
  // The rows of a large file are counted once all of it is read.
  const reading = report?.status === 'RUNNING' && all === 0 ? t.import.reading : t.import.running;
  return (
    <div class="card padded stack">
      <p role="status">
        {isSending ? t.import.sending : reading} <bdi>{file.name}</bdi>
        {all > 0 && `: ${progress}`}
        {seconds !== undefined && ` · ${t.import.timeToGo(durationText(seconds))}`}
      </p>
      <progress {...(all > 0 ? { max: all, value: done } : {})} aria-label={t.import.running} />
      {report?.visibility === 'inSteps' && <p class="faint">{t.import.inSteps}</p>}
      {children}
      {onCancel && (
        <div>
          <Button onClick={onCancel} busy={isCancelling} label={t.import.cancel} />
        </div>
      )}
    </div>
  );
};

/** The sheet, and the row with the titles. */
export const HeaderFields = ({ shown, readFrom }: Pick<Preview, 'readFrom'> & { shown: ImportPreview }) => {
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
