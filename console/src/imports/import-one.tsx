import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import type { ImportStatus } from '../../../client/answers.ts';
import { nameAtMost } from '../../../shared/domain/names.ts';
import { troubleOf } from '../api/errors.ts';
import { useRefresh } from '../api/query-client.ts';
import { useWords } from '../i18n/i18n.ts';
import { addSource } from '../sources/changes.ts';
import { sourceKeys } from '../sources/queries.ts';
import type { Layouts } from './columns.tsx';
import { byCode } from './import-result.tsx';
import { ColumnsStep, ReadingStep, RunningStep, UnreadableStep } from './import-steps.tsx';
import { checkQuery, importQuery } from './queries.ts';
import { beginImport, type OnDuplicate } from './requests.ts';
import { type Preview, usePreview } from './use-preview.ts';

const baseName = (file: File) => file.name.replace(/\.[^.]+$/, '').slice(0, nameAtMost);

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
  const preview = usePreview(file, props.layouts);
  const { shown, isStraight, isReady, isKnown } = preview;
  const [name, setName] = useState(baseName(file));
  const refresh = useRefresh(sourceKeys);
  const options = { ...preview.reading, onDuplicate };
  const adding = useMutation({ mutationFn: addSource });
  const running = useMutation({
    mutationFn: async () => {
      const id = target ?? (await adding.mutateAsync({ dataSourceName: name.trim() })).id;
      props.onTarget(id);
      return beginImport(id, file, options, shown?.rowCount ?? 0);
    },
  });
  const followed = useQuery(importQuery(target, running.data));
  const report = followed.data;
  const isRunning = running.isPending || (running.data !== undefined && report?.status !== 'FAILED');
  const isChecked = target !== undefined && isReady && !isStraight && !isRunning;
  const checked = useQuery(checkQuery(target ?? '', file, options, isChecked));
  useEffect(() => {
    if (isKnown && isReady && running.isIdle) running.mutate();
  }, [isKnown && isReady]);
  useEffect(() => {
    if (report?.status === 'DONE') props.onEnd(report, preview);
    if (report !== undefined) void refresh();
  }, [report?.status]);

  if (isRunning && target !== undefined) return <RunningStep file={file} report={report} />;
  if (!shown && !isStraight) {
    const { error } = preview;
    if (!error) return <ReadingStep file={file} />;
    return <UnreadableStep error={error} leaveWords={leaveWords} onLeave={onLeave} />;
  }
  const trouble = troubleOf(adding.error, t, { taken: 'dataSourceName', shown: ['dataSourceName'] });
  const rename = (next: string) => {
    adding.reset();
    running.reset();
    setName(next);
  };
  const forecast =
    target === undefined
      ? shown?.check
      : checked.data && { ...checked.data, rejected: byCode(checked.data.details) };
  const failed = running.data === undefined ? undefined : `${t.import.failed} ${report?.message}`;
  const refused = adding.error ? undefined : (running.error ?? checked.error);
  return (
    <ColumnsStep
      {...{ file, preview, leaveWords, onLeave, onDuplicate, forecast }}
      setOnDuplicate={props.setOnDuplicate}
      newList={
        target === undefined ? { name, error: trouble.fields.dataSourceName, onName: rename } : undefined
      }
      busy={running.isPending || checked.isFetching}
      isUnchecked={checked.isError}
      refused={trouble.whole ?? failed ?? troubleOf(refused, t).whole}
      onImport={() => running.mutate()}
    />
  );
};
