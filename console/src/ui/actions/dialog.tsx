import { useMutation } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { download, useRefresh } from '../../api/client.ts';
import { type Shown, troubleOf, troubleWords } from '../../api/errors.ts';
import { useWords } from '../../i18n/i18n.ts';
import { say } from '../page/page.tsx';
import { Button, type IconName, Refused } from './button.tsx';
import css from './dialog.module.css';

/** Saves a file of the service; where that fails, a note says why. */
export const useDownload = () => {
  const t = useWords();
  return useMutation({ mutationFn: download, onError: (error) => say(troubleWords(error, t)) });
};

type DialogProps = {
  title: string;
  /** Absent where the dialog cannot be put away: something has to be answered first. */
  onClose?: () => void;
  children: ComponentChildren;
  /** What can be done, the main thing last. */
  actions: ComponentChildren;
  onSubmit?: () => void;
  /** Two columns where there is room. */
  wide?: boolean;
};

/** The browser's own dialog: it keeps the focus inside, gives it back, and closes with Escape. */
export const Dialog = ({ title, onClose, children, actions, onSubmit, wide = false }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    const first = '[data-autofocus=true], summary, input:not([type=checkbox]), select, [type=submit]';
    shown?.querySelector<HTMLElement>(first)?.focus();
    return () => shown?.close();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <dialog
      ref={dialog}
      class={wide ? `${css.dialog} ${css.wide}` : css.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // A browser may close it at a second Escape, whatever was said to the first.
      onClose={({ currentTarget }) => {
        if (onClose === undefined && currentTarget.isConnected) currentTarget.showModal();
      }}
    >
      <form onSubmit={submit} noValidate>
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        <div class={`${css.dialogBody} stack`}>{children}</div>
        <div class={`${css.dialogActions} row wrap`}>{actions}</div>
      </form>
    </dialog>
  );
};

type DialogOptions<A> = Shown & {
  change: () => Promise<A>;
  /** What a note says once it is done. */
  said?: (answer: A) => string;
  onDone?: (answer: A) => void;
  onClose: () => void;
  /** The queries that the change may have touched, also when it was refused. */
  refreshes?: readonly string[];
};

/** A dialog that sends one change: busy meanwhile, closed when it is done; a refusal is said beside its button. */
export const useDialog = <A,>(options: DialogOptions<A>) => {
  const { change, said, onDone, onClose, refreshes = [], ...shown } = options;
  const t = useWords();
  const { mutate, isPending, error, reset } = useMutation({
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
    reset,
    fields: trouble.fields,
    /** For the dialog's form. */
    form: { busy: isPending, refused: trouble.whole, onClose, onSubmit: () => mutate() },
  };
};

type Form = Omit<ReturnType<typeof useDialog>['form'], 'refused'> & { refused?: string | undefined };

/** How the question looks. */
type Look = {
  title: string;
  /** What the button that does it says. */
  action: string;
  icon?: IconName | undefined;
  kind?: 'primary' | 'danger' | undefined;
  /** It cannot be done now. */
  disabled?: boolean;
  wide?: boolean;
};

export type FormDialogProps = Look & Form & { children: ComponentChildren };

/** A question with Cancel and the one thing that it asks about; what is refused says why beside it. */
export const FormDialog = (props: FormDialogProps) => {
  const { action, icon, kind = 'primary', disabled = false, busy, refused, ...dialog } = props;
  const t = useWords();
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Refused words={refused} />
          {/* Where there is nothing to fill in, Enter presses the button that does no harm. */}
          <Button onClick={dialog.onClose} data-autofocus={kind === 'danger'} label={t.common.cancel} />
          <Button kind={kind} type="submit" busy={busy} disabled={disabled} icon={icon} label={action} />
        </>
      }
    />
  );
};

type Props<A> = DialogOptions<A> & Look & { words: string; children?: ComponentChildren };

/** A dialog that sends one change, with nothing in it that the change could be refused for. */
export const ConfirmDialog = <A,>({ title, action, icon, kind, words, children, ...options }: Props<A>) => (
  <FormDialog {...{ title, action, icon, kind }} {...useDialog(options).form}>
    <p>{words}</p>
    {children}
  </FormDialog>
);
