import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';
import { Refused } from './refused.tsx';
import type { useDialog } from './use-dialog.ts';

type Form = Omit<ReturnType<typeof useDialog>['form'], 'refused'> & { refused?: string | undefined };

/** How the question looks. */
export type Look = {
  title: string;
  /** What the button that does it says. */
  action: string;
  icon?: IconName | undefined;
  kind?: 'primary' | 'danger' | undefined;
};

export type FormDialogProps = Look & Form & { children: ComponentChildren };

/** A question with Cancel and the one thing that it asks about; what is refused says why beside it. */
export const FormDialog = (props: FormDialogProps) => {
  const { action, icon, kind = 'primary', busy, refused, ...dialog } = props;
  const t = useWords();
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Refused words={refused} />
          {/* Where there is nothing to fill in, Enter presses the button that does no harm. */}
          <Button onClick={dialog.onClose} data-autofocus={kind === 'danger'} label={t.common.cancel} />
          <Button kind={kind} type="submit" busy={busy} icon={icon} label={action} />
        </>
      }
    />
  );
};
