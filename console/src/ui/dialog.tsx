import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import './dialog.css';

type Props = {
  title: string;
  /** Absent where the dialog cannot be put away: something has to be answered first. */
  onClose?: () => void;
  children: ComponentChildren;
  /** What can be done, the main thing last. */
  actions: ComponentChildren;
  onSubmit?: () => void;
};

/** The browser's own dialog: it keeps the focus inside, gives it back, and closes with Escape. */
export const Dialog = ({ title, onClose, children, actions, onSubmit }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    const first = '[data-autofocus=true], input:not([type=checkbox]), select, [type=submit]';
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
      class="dialog"
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
        <div class="dialog-body stack">{children}</div>
        <div class="dialog-actions row wrap">{actions}</div>
      </form>
    </dialog>
  );
};
