import { useMutation } from '@tanstack/preact-query';
import { troubleWords } from './api/errors.ts';
import { download } from './download.ts';
import { useWords } from './i18n/i18n.ts';
import { say } from './ui/toast.tsx';

/** Saves a file of the service; where that fails, a note says why. */
export const useDownload = () => {
  const t = useWords();
  return useMutation({ mutationFn: download, onError: (error) => say(troubleWords(error, t)) });
};
