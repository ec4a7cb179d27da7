import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import type { ImportReport } from '../../../client/answers.ts';
import { numberText } from '../i18n/format.ts';
import { type Dictionary, language, useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Table, textColumn } from '../ui/table.tsx';
import { Tiles } from '../ui/tile.tsx';
import { useDownload } from '../ui/use-download.ts';
import { entryOf } from './import-entry.ts';
import { importsQuery, rejectedPath } from './queries.ts';

const shownRows = 50;

type Detail = ImportReport['details'][number];

const RejectedRows = ({ report }: { report: ImportReport }) => {
  const t = useWords();
  return (
    <div class="card table-card">
      <Table
        rows={report.details.slice(0, shownRows)}
        idOf={({ row }) => row}
        columns={[
          { title: t.import.row, class: 'number', cell: ({ row }) => numberText(row) },
          {
            title: t.import.cell,
            cell: (detail) => (
              <>
                {detail.cell}
                <div class="sub">
                  <bdi>{detail.sheet}</bdi>
                </div>
              </>
            ),
          },
          textColumn(t.title.phoneNumber, ({ phoneNumber }: Detail) => phoneNumber),
          {
            title: t.title.callReason,
            cell: (detail) => (
              <>
                {t.import.codes[detail.code as keyof Dictionary['import']['codes']] ?? detail.code}
                {(language.get() === 'en' || detail.code === 'INVALID_FIELD') && (
                  <div class="sub">
                    <bdi>{detail.message}</bdi>
                  </div>
                )}
              </>
            ),
          },
        ]}
      />
      {report.details.length > shownRows && (
        <p class="pager row">{t.import.firstOf(shownRows, report.details.length)}</p>
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
          <Button
            kind="primary"
            icon="phone"
            onClick={() => navigate(`/tasks/new?source=${sourceId}`)}
            label={t.import.toTask}
          />
        )}
        <Button onClick={() => navigate(sourcePath)} label={t.import.toContacts} />
        <Button onClick={onAnother} label={t.import.another} />
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
                label={t.import.downloadRejected}
              />
            )}
          </div>
          <p class="faint">{t.import.fix}</p>
          <RejectedRows report={report} />
        </section>
      )}
    </>
  );
};
