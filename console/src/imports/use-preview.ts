import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ImportPreview } from '../../../client/answers.ts';
import { given } from '../api/client.ts';
import { fieldsOf, type Layouts, type Mapping, mappingFault, sentMapping, titlesOf } from './columns.tsx';
import { goesStraight, previewQuery, type Reading } from './requests.ts';

/** What a file holds and how the reader wants it read. `layouts`: how files with the same titles were read. */
export const usePreview = (file: File, layouts: Layouts) => {
  const [reading, setReading] = useState<Reading>({ mapping: {} });
  // Kept while another row or sheet cannot be read, so that a third can be chosen.
  const kept = useRef<ImportPreview | undefined>();
  const faultIn = (preview: ImportPreview | undefined) =>
    preview && mappingFault(fieldsOf(preview.columns, reading.mapping));
  const seen = useQuery(previewQuery(file, reading, faultIn(kept.current) !== 'twice'));
  kept.current = seen.data ?? kept.current;
  const shown = kept.current;
  const fault = faultIn(shown);
  const isStraight = goesStraight(file);
  const place = shown && given({ sheet: shown.sheet, headerRow: shown.headerRow });
  const known = shown && layouts.get(titlesOf(shown));
  useEffect(() => {
    if (known !== undefined) setReading({ ...place, mapping: known });
  }, [known]);
  // Until the other sheet or row is read, what is shown is not what would be imported.
  const isShown = seen.data !== undefined && !seen.isPlaceholderData && !seen.isError;
  return {
    shown,
    fault,
    isStraight,
    error: seen.error,
    isReady: isStraight || (isShown && fault === undefined && shown !== undefined && shown.rowCount > 0),
    /** A file with these titles was imported before, and this one is read like it. */
    isKnown: known !== undefined && reading.mapping === known,
    chosen: reading.mapping,
    /** What the reader chose, and what the service found by itself. */
    reading: { ...place, mapping: sentMapping(shown?.columns ?? [], reading.mapping) },
    mapColumns: (mapping: Mapping) => setReading({ ...place, mapping }),
    readFrom: (sheet: string, headerRow?: number) =>
      setReading({ ...given({ sheet, headerRow }), mapping: {} }),
  };
};

export type Preview = ReturnType<typeof usePreview>;
