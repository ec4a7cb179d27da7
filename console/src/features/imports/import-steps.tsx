import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ImportPreview, ImportStatus } from '../../../../client/client.ts';
import { troubleWords } from '../../api/errors.ts';
import { megabytesText, numberText, useWords } from '../../i18n/i18n.ts';
import { ImportProgress, type UnfinishedImport } from '../../parts/lists/import-progress.tsx';
import { Button, Icon, Refused } from '../../ui/actions/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import type { Preview } from './preview.tsx';

/** Takes the focus when it appears, if the control that had it is gone with the step before. */
export const useFallenFocus = <E extends HTMLElement>(isAfterStep = true) => {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    if (isAfterStep && document.activeElement === document.body)
      element.current?.focus({ preventScroll: true });
  }, []);
  return element;
};

/** What a step of an import is about. */
export const StepTitle = ({ children }: { children: ComponentChildren }) => (
  <h2 ref={useFallenFocus<HTMLHeadingElement>()} tabIndex={-1}>
    {children}
  </h2>
);

/** Rows among which the titles are looked for. */
const headerRows = 20;
type ReadingProps = { file: File; error: unknown; leaveWords: string; onLeave: () => void };

/** Until a file is read, or where it cannot be read. */
export const ReadingStep = ({ file, error, leaveWords, onLeave }: ReadingProps) => {
  const t = useWords();
  if (!error) {
    return (
      <div class="card padded" role="status">
        <StepTitle>
          {t.import.reading} <bdi>{file.name}</bdi> · {megabytesText(file.size)} MB
        </StepTitle>
      </div>
    );
  }
  return (
    <div class="card padded stack">
      <StepTitle>{t.import.failed}</StepTitle>
      <Refused words={troubleWords(error, t)} />
      <div>
        <Button kind="primary" onClick={onLeave} label={leaveWords} />
      </div>
    </div>
  );
};

type RunningProps = { found: UnfinishedImport; visibility: ImportStatus['visibility'] | undefined };

export const RunningStep = ({ found, visibility }: RunningProps) => {
  const t = useWords();
  return (
    <div class="card padded stack">
      <StepTitle>
        <Icon name="file" /> <bdi>{found.fileName}</bdi>
      </StepTitle>
      <ImportProgress found={found} isNameless isLive />
      {visibility === 'inSteps' && <p class="faint">{t.import.inSteps}</p>}
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
