import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import type { ImportPreview } from '../../../client/answers.ts';
import { ServiceRefusal } from '../../../client/service-error.ts';
import { changesOf, type Mapping, mappingFault, mappingOf } from './columns.tsx';
import { type Place, previewQuery } from './queries.ts';
import { goesStraight, type ImportOptions } from './requests.ts';

/** What a file holds and how the reader wants it read. */
export const usePreview = (sourceId: string | undefined, file: File) => {
  const [place, setPlace] = useState<Place>({});
  const [mapping, setMapping] = useState<Mapping>({});
  const [onDuplicate, setOnDuplicate] = useState<ImportOptions['onDuplicate']>('skip');
  const seen = useQuery(previewQuery(sourceId, file, place));
  // Kept while another row or sheet cannot be read, so that a third can be chosen.
  const [shown, setShown] = useState<ImportPreview | undefined>(seen.data);
  useEffect(() => {
    if (!seen.data) return;
    setShown(seen.data);
    setMapping(mappingOf(seen.data.columns));
  }, [seen.data]);
  const isUnseen = seen.error instanceof ServiceRefusal && seen.error.code === 404;
  // Without a preview the service finds the columns by their titles alone.
  const isStraight = goesStraight(file) || isUnseen;
  const columns = shown?.columns ?? [];
  const rows = shown?.rowCount ?? 0;
  const [sheet, headerRow] = [place.sheet ?? shown?.sheet, place.headerRow ?? shown?.headerRow];
  const options: ImportOptions = {
    ...(sheet ? { sheet } : {}),
    ...(headerRow === undefined ? {} : { headerRow }),
    mapping: changesOf(columns, mapping),
    onDuplicate,
  };
  const fault = isStraight ? undefined : mappingFault(mapping);
  return {
    shown,
    columns,
    rows,
    options,
    fault,
    isStraight,
    error: isUnseen ? null : seen.error,
    // Until the other sheet or row is read, what is shown is not what would be imported.
    isReady: fault === undefined && (isStraight || (rows > 0 && !seen.isError && !seen.isPlaceholderData)),
    mapping,
    setMapping,
    setPlace,
    setOnDuplicate,
  };
};

export type Preview = ReturnType<typeof usePreview>;
