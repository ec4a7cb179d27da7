import { useMutation } from '@tanstack/preact-query';
import { type Shown, troubleOf } from '../api/errors.ts';
import { useRefresh } from '../api/query-client.ts';
import { useWords } from '../i18n/i18n.ts';
import { say } from './toast.tsx';

export type DialogOptions<A> = Shown & {
  change: () => Promise<A>;
  /** What a note says once it is done. */
  said?: (answer: A) => string;
  onDone?: (answer: A) => void;
  onClose: () => void;
  /** The queries that the change may have touched, also when it was refused. */
  refreshes?: readonly string[];
};

/** A dialog that sends one change: busy meanwhile, closed when it is done; a refusal is said beside its button. */
export const useDialog = <A>(options: DialogOptions<A>) => {
  const { change, said, onDone, onClose, refreshes = [], ...shown } = options;
  const t = useWords();
  const { mutate, isPending, error } = useMutation({
    mutationFn: change,
    onSettled: useRefresh(refreshes),
    onSuccess: (answer) => {
      if (said !== undefined) say(said(answer));
      onClose();
      onDone?.(answer);
    },
  });
  const trouble = troubleOf(error, t, shown);
  return {
    error,
    fields: trouble.fields,
    /** For the dialog's form. */
    form: { busy: isPending, refused: trouble.whole, onClose, onSubmit: () => mutate() },
  };
};
