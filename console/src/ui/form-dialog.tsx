import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';
import { Refused } from './refused.tsx';

export type FormDialogProps = {
  title: string;
  /** What the button that does it says. */
  action: string;
  icon?: IconName | undefined;
  kind?: 'primary' | 'danger' | undefined;
  busy: boolean;
  refused?: string | undefined;
  onClose: () => void;
  onSubmit: () => void;
  children: ComponentChildren;
};

/** A question with Cancel and the one thing that it asks about; what is refused says why beside it. */
export const FormDialog = (props: FormDialogProps) => {
  const { title, action, icon, kind = 'primary', busy, refused, onClose, onSubmit, children } = props;
  const t = useWords();
  // Where there is nothing to fill in, Enter presses the button that does no harm.
  const isDanger = kind === 'danger';
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Refused words={refused} />
          <Button onClick={onClose} data-autofocus={isDanger || undefined} label={t.common.cancel} />
          <Button
            kind={kind}
            type="submit"
            busy={busy}
            icon={icon}
            data-autofocus={!isDanger || undefined}
            label={action}
          />
        </>
      }
    >
      {children}
    </Dialog>
  );
};
