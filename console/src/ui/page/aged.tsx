import { secondsText } from '../../i18n/format.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { Button } from '../actions/button.tsx';

type Aged = { data: unknown; isError: boolean; dataUpdatedAt: number };

/** What is said beside a figure whose request failed: how old it is, or that it is not known. */
export const agedWords = ({ data, isError, dataUpdatedAt }: Aged, t: Dictionary): string | undefined => {
  if (!isError) return undefined;
  return data === undefined ? t.common.notLoaded : t.common.notUpdated(secondsText(dataUpdatedAt));
};

/** The same for the figures of a whole screen, with a way to try again. */
export const AgedNote = ({ query }: { query: Aged & { refetch: () => unknown } }) => {
  const t = useWords();
  const words = agedWords(query, t);
  if (words === undefined) return null;
  return (
    <p class="banner row warning" role="status">
      <span>{t.common.figures(words)}</span>
      <Button kind="quiet" onClick={() => void query.refetch()} label={t.common.retry} />
    </p>
  );
};
