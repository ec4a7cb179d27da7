import { useQueries, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import type { ImportEntry, ImportPreview } from '../../../../client/client.ts';
import { useRefresh } from '../../api/client.ts';
import { settings } from '../../base/page-settings.ts';
import { durationText, megabytesText, regionText, useWords } from '../../i18n/i18n.ts';
import { usePerson } from '../../session/session.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../ui/actions/dialog.tsx';
import { useIsSettled } from '../tasks/queries.ts';
import { cancelImport } from './changes.ts';
import { importKeys, importQuery, isUnfinished, unfinishedImportsQuery } from './queries.ts';
import { timeToGo, useUpload } from './uploads.ts';

/** How the service compares numbers that are written differently, and what of a file's numbers may be a mistake. */
export const NumberNotes = ({ check }: { check?: ImportPreview['check'] }) => {
  const t = useWords();
  const { country } = settings;
  const { internationalCount: plus = 0, nationalCount: bare = 0, doubtfulCount: doubtful = 0 } = check ?? {};
  return (
    <>
      {country ? (
        <p class="faint">{t.numbers.country(regionText(country))}</p>
      ) : (
        <p class="why">{t.numbers.noCountry}</p>
      )}
      {plus > 0 && bare > 0 && <p class="why">{t.numbers.mixed(plus, bare)}</p>}
      {country && doubtful > 0 && <p class="why">{t.numbers.doubtful(doubtful, regionText(country))}</p>}
    </>
  );
};

/** An import that has not ended, as far as it was when it was read. */
export type UnfinishedImport = Pick<
  ImportEntry,
  'importId' | 'fileName' | 'status' | 'importCount' | 'successCount' | 'failCount'
> & { dataSourceId: string };

/** Follows each of these imports. Everything that shows contact lists is read again when one of them has ended. */
export const useUnfinished = <I extends UnfinishedImport>(found: readonly I[]): I[] => {
  const refresh = useRefresh(importKeys);
  // What was found is shown first.
  const enabled = useIsSettled(found.length > 0);
  const followed = useQueries({
    queries: found.map(({ dataSourceId, importId }) => ({ ...importQuery(dataSourceId, importId), enabled })),
  });
  const states = found.map((each, i) => ({ ...each, ...followed[i]?.data }));
  const unfinished = states.filter(isUnfinished);
  const ended = states.length - unfinished.length;
  useEffect(() => {
    if (ended > 0) void refresh();
  }, [ended]);
  return unfinished;
};

/** What happens to the file, how far it is, and how much is done of all. No row is done before all are read. */
const useProgress = ({ importId, status, importCount, successCount, failCount }: UnfinishedImport) => {
  const t = useWords();
  const upload = useUpload(importId);
  const rows = successCount + failCount;
  if (upload !== undefined && upload.loaded < upload.total) {
    const { loaded: done, total: all } = upload;
    const figure = t.import.sent(megabytesText(done), megabytesText(all), done / all);
    return { words: t.import.sending, figure, done, all };
  }
  if (status === 'WAITING')
    return { words: upload ? t.import.arrived : t.import.awaited, figure: '', done: 0, all: 0 };
  if (rows > 0) {
    const figure = t.import.progress(rows, importCount);
    return { words: t.import.running, figure, done: rows, all: importCount };
  }
  const figure = importCount > 0 ? t.import.read(importCount) : '';
  return { words: t.import.reading, figure, done: 0, all: 0 };
};

type Props = {
  found: UnfinishedImport;
  /** The name of the file stands elsewhere. */
  isNameless?: boolean;
  /** Each step is announced to a reader who hears the page. */
  isLive?: boolean;
};

/** How far an import is, how long it takes, and a way to cancel it. */
export const ImportProgress = ({ found, isNameless = false, isLive = false }: Props) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const { words, figure, done, all } = useProgress(found);
  const { dataSourceId, importId, fileName } = found;
  const seconds = timeToGo(importId, done, all);
  const [asking, ask] = useState(false);
  const [cancelled, setCancelled] = useState(false);
  const { data: asked } = useQuery({ ...importQuery(dataSourceId, importId), enabled: asking });
  return (
    <div>
      <p role={isLive ? 'status' : undefined}>
        {words} {!isNameless && <bdi>{fileName}</bdi>}
        {figure && ` · ${figure}`}
        {seconds !== undefined && ` · ${t.import.timeToGo(durationText(seconds))}`}
      </p>
      <div class="row wrap">
        <progress {...(all > 0 ? { max: all, value: done } : {})} aria-label={`${words} ${fileName}`} />
        {mayWrite && importId !== '' && (
          <Button
            kind="quiet"
            busy={cancelled}
            onClick={() => ask(true)}
            label={t.import.cancel}
            title={`${t.import.cancel}: ${fileName}`}
          />
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={t.import.cancelTitle(fileName)}
          action={t.import.cancel}
          kind="danger"
          change={() => cancelImport(dataSourceId, importId)}
          words={t.import.cancelWords(asked?.visibility !== 'atOnce')}
          onDone={() => setCancelled(true)}
          refreshes={importKeys}
          onClose={() => ask(false)}
        />
      )}
    </div>
  );
};

/** The imports into a list that have not ended. */
export const UnfinishedImports = ({ sourceId }: { sourceId: string }) => {
  const { data = [] } = useQuery(unfinishedImportsQuery(sourceId));
  return useUnfinished(data).map((each) => (
    <div key={each.importId} class="card padded">
      <ImportProgress found={each} />
    </div>
  ));
};
