import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import './dialog.css';

type Props = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** What can be done, the main thing last. */
  actions?: ComponentChildren;
  onSubmit?: () => void;
  /** Cannot be put away: something has to be answered first. */
  firm?: boolean;
};

/** The browser's own dialog: it keeps the focus inside, gives it back, and closes with Escape. */
export const Dialog = ({ title, onClose, children, actions, onSubmit, firm = false }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    const field = shown?.querySelector<HTMLElement>(
      '[data-autofocus], input:not([type=checkbox]), select, textarea',
    );
    field?.focus();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
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
        if (!firm) onClose();
      }}
      // A browser may close it at a second Escape, whatever was said to the first.
      onClose={({ currentTarget }) => {
        if (firm && currentTarget.isConnected) currentTarget.showModal();
      }}
    >
      <form onSubmit={submit} noValidate>
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        <div class="dialog-body stack">{children}</div>
        {actions && <div class="dialog-actions row wrap">{actions}</div>}
      </form>
    </dialog>
  );
};
