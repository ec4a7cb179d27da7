import { useMutation } from '@tanstack/preact-query';
import { download } from '../../api/client.ts';
import { troubleWords } from '../../api/errors.ts';
import { useWords } from '../../i18n/i18n.ts';
import { say } from '../page/toast.tsx';

/** Saves a file of the service; where that fails, a note says why. */
export const useDownload = () => {
  const t = useWords();
  return useMutation({ mutationFn: download, onError: (error) => say(troubleWords(error, t)) });
};
