import { useLocation } from 'wouter-preact';
import type { ImportStatus } from '../../../../client/client.ts';
import { phoneProblem } from '../../../../shared/contacts/rules/phone-number.ts';
import { isBuiltIn } from '../../../../shared/platform/rules/names.ts';
import { type Dictionary, numberText, useWords } from '../../i18n/i18n.ts';
import { sourcePath } from '../../parts/lists/import-file.ts';
import { rejectedPath } from '../../parts/lists/queries.ts';
import { Button } from '../../ui/actions/button.tsx';
import { useDownload } from '../../ui/actions/dialog.tsx';
import { type Fact, Facts, Sub, Tiles } from '../../ui/figures/figures.tsx';
import { Table, textColumn } from '../../ui/lists/table.tsx';
import css from './import-screen.module.css';
import { StepTitle } from './import-steps.tsx';

/** A file whose import has ended. */
export type Ended = { file: File; report: ImportStatus };
type Detail = ImportStatus['details'][number] & { fileName: string };

const shownRows = 50;

/** Rows whose number exists already are skipped; the others that were not imported are rejected. */
const skippedIn = ({ rejected }: ImportStatus) =>
  (rejected.DUPLICATE ?? 0) + (rejected.DUPLICATE_IN_FILE ?? 0);

export const countsOf = (reports: readonly ImportStatus[]) => {
  const sum = (count: (report: ImportStatus) => number) =>
    reports.reduce((all, report) => all + count(report), 0);
  const updated = sum(({ updateCount }) => updateCount ?? 0);
  const skipped = sum(skippedIn);
  return {
    added: sum(({ successCount }) => successCount) - updated,
    updated,
    skipped,
    rejected: sum(({ failCount }) => failCount) - skipped,
  };
};

/** Each reason with its number of rows, the most frequent first. */
export const reasonFacts = (counts: Readonly<Record<string, number>>, t: Dictionary): Fact[] =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => [t.import.codes[code as Detail['code']], numberText(count)]);

/** The sum of the counts of each code. */
const sumByCode = (counts: readonly (readonly [code: string, count: number])[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [code, count] of counts) sums[code] = (sums[code] ?? 0) + count;
  return sums;
};

export const byCode = (details: readonly Pick<Detail, 'code'>[]) =>
  sumByCode(details.map(({ code }) => [code, 1]));

const reasonOf = ({ code, firstRow, phoneNumber }: Detail, t: Dictionary): string => {
  if (firstRow !== undefined) return t.import.repeats(firstRow);
  const problem = code === 'INVALID_PHONE' ? phoneProblem(phoneNumber) : undefined;
  return problem === undefined ? t.import.codes[code] : t.import.problems[problem];
};

type RejectedProps = { details: readonly Detail[]; all: number; withFile: boolean };

/** The first of all rejected rows. */
const RejectedRows = ({ details, all, withFile }: RejectedProps) => {
  const t = useWords();
  return (
    <div class="card table-card">
      <Table
        rows={details.slice(0, shownRows)}
        idOf={({ fileName, row }) => `${fileName} ${row}`}
        columns={[
          withFile && textColumn(t.imports.file, ({ fileName }: Detail) => fileName),
          { title: t.import.row, class: 'number', cell: ({ row }) => String(row) },
          {
            title: t.import.cell,
            cell: ({ cell, sheet }) => (
              <>
                {cell}
                <Sub text={sheet} />
              </>
            ),
          },
          textColumn(t.title.phoneNumber, ({ phoneNumber }: Detail) => phoneNumber),
          {
            title: t.title.callReason,
            class: 'main-cell',
            cell: (detail) => (
              <>
                {reasonOf(detail, t)}
                <Sub text={detail.code === 'INVALID_FIELD' ? detail.message : ''} />
              </>
            ),
          },
        ]}
      />
      {all > shownRows && <p class="pager row faint">{t.import.firstOf(shownRows, all)}</p>}
    </div>
  );
};

type Props = { sourceId: string; ended: readonly Ended[]; onAnother: () => void };

/** What came of the files, what was not imported and why, and what comes next. */
export const ImportResult = ({ sourceId, ended, onAnother }: Props) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const save = useDownload();
  const counts = countsOf(ended.map(({ report }) => report));
  const rejected = sumByCode(ended.flatMap(({ report }) => Object.entries(report.rejected)));
  const details = ended.flatMap(({ file, report }) =>
    report.details.map((detail) => ({ ...detail, fileName: file.name })),
  );
  const figures = (['added', 'updated', 'skipped', 'rejected'] as const).map((name) => ({
    label: t.imports[name],
    value: numberText(counts[name]),
  }));
  return (
    <>
      <div class="card-title row">
        <StepTitle>{t.import.done}</StepTitle>
      </div>
      <Tiles figures={figures} label={t.import.done} />
      {ended.map(({ report }) => report.message && <p class="why">{report.message}</p>)}
      <div class="toolbar row wrap">
        {!isBuiltIn(sourceId) && counts.added + counts.updated > 0 && (
          <Button
            kind="primary"
            icon="phone"
            onClick={() => navigate(`/tasks/new?source=${sourceId}`)}
            label={t.import.toTask}
          />
        )}
        <Button onClick={() => navigate(sourcePath(sourceId))} label={t.import.toContacts} />
        <Button onClick={onAnother} label={t.import.another} />
      </div>
      {details.length > 0 && (
        <section class={`${css.rejected} stack`} aria-labelledby="rejected-title">
          <div class="card-title row wrap">
            <h2 id="rejected-title">{t.import.rejectedRows}</h2>
            {ended
              .filter(({ report }) => report.failCount > 0)
              .map(({ file, report: { importId } }, _, { length }) => (
                <Button
                  key={importId}
                  icon="download"
                  onClick={() => save.mutate(rejectedPath(sourceId, importId))}
                  label={length > 1 ? t.import.downloadOf(file.name) : t.import.downloadRejected}
                />
              ))}
          </div>
          <div class={`${css.reasons} sums`}>
            <Facts facts={reasonFacts(rejected, t)} />
          </div>
          <p class="faint">{t.import.fix}</p>
          <RejectedRows
            details={details}
            all={counts.skipped + counts.rejected}
            withFile={ended.length > 1}
          />
        </section>
      )}
    </>
  );
};
