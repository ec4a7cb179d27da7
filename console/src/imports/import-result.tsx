import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import type { ImportReport } from '../../../client/answers.ts';
import { numberText } from '../i18n/format.ts';
import { type Dictionary, language, useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Tiles } from '../ui/tile.tsx';
import { useDownload } from '../ui/use-download.ts';
import { entryOf } from './import-entry.ts';
import { importsQuery, rejectedPath } from './queries.ts';

const shownRows = 50;

/** The place at fault, which stands at the end of the message: the contract fixes what else a row has. */
const placed = /^(.*) \(cell ([A-Z]+\d+)(?: of the sheet "(.*)")?\)$/s;

const placeOf = (detail: ImportReport['details'][number]) => {
  const [, message = detail.message, cell = '', sheet = ''] = placed.exec(detail.message) ?? [];
  return { message, cell, sheet };
};

const RejectedRows = ({ report }: { report: ImportReport }) => {
  const t = useWords();
  return (
    <div class="card table-card">
      <table class="table">
        <thead>
          <tr>
            <th class="number">{t.import.row}</th>
            <th>{t.import.cell}</th>
            <th>{t.contacts.phone}</th>
            <th>{t.task.reason}</th>
          </tr>
        </thead>
        <tbody>
          {report.details.slice(0, shownRows).map((detail) => {
            const { message, cell, sheet } = placeOf(detail);
            return (
              <tr key={detail.row}>
                <td class="number">{numberText(detail.row)}</td>
                <td>
                  {cell}
                  <div class="sub">
                    <bdi>{sheet}</bdi>
                  </div>
                </td>
                <td class="clip" title={detail.phoneNumber}>
                  <bdi>{detail.phoneNumber}</bdi>
                </td>
                <td>
                  {t.import.codes[detail.code as keyof Dictionary['import']['codes']] ?? detail.code}
                  {(language.get() === 'en' || detail.code === 'INVALID_FIELD') && (
                    <div class="sub">
                      <bdi>{message}</bdi>
                    </div>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {report.details.length > shownRows && (
        <p class="pager">{t.import.firstOf(shownRows, report.details.length)}</p>
      )}
    </div>
  );
};

/** Three figures, what was rejected and why, and what comes next. */
export const ImportResult = ({
  sourceId,
  fileName,
  report,
  sourcePath,
  onAnother,
}: {
  sourceId: string;
  fileName: string;
  report: ImportReport;
  sourcePath: string;
  onAnother: () => void;
}) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const imports = useQuery({
    ...importsQuery(sourceId, 1, 20),
    enabled: report.failCount > 0,
    // The same file may come again.
    staleTime: 0,
  });
  const entry = imports.isFetchedAfterMount ? entryOf(imports.data?.rows ?? [], fileName, report) : undefined;
  const save = useDownload();
  const { rows, imported, rejected } = t.imports;
  const figures = [
    { label: rows, value: numberText(report.importCount) },
    { label: imported, value: numberText(report.successCount) },
    { label: rejected, value: numberText(report.failCount) },
  ];
  return (
    <>
      <Tiles figures={figures} label={t.import.done} />
      <div class="toolbar row wrap">
        {sourcePath.startsWith('/sources') && report.successCount > 0 && (
          <Button kind="primary" icon="phone" onClick={() => navigate(`/tasks/new?source=${sourceId}`)}>
            {t.import.toTask}
          </Button>
        )}
        <Button onClick={() => navigate(sourcePath)}>{t.import.toContacts}</Button>
        <Button onClick={onAnother}>{t.import.another}</Button>
      </div>
      {report.failCount > 0 && (
        <section class="rejected stack" aria-labelledby="rejected-title">
          <div class="card-title row">
            <h2 id="rejected-title">{t.import.rejectedRows}</h2>
            {entry && (
              <Button
                icon="download"
                busy={save.isPending}
                onClick={() => save.mutate(rejectedPath(sourceId, entry.importId))}
              >
                {t.import.downloadRejected}
              </Button>
            )}
          </div>
          <p class="faint">{t.import.fix}</p>
          <RejectedRows report={report} />
        </section>
      )}
    </>
  );
};
