import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';
import { Refused } from './refused.tsx';

type Props = {
  title: string;
  /** What the button that does it says. */
  action: string;
  icon?: IconName;
  kind?: 'primary' | 'danger';
  /** Where there is nothing to fill in: which button Enter presses. */
  first?: 'cancel' | 'action';
  busy: boolean;
  refused?: string | undefined;
  onClose: () => void;
  onSubmit: () => void;
  children: ComponentChildren;
};

/** A question with Cancel and the one thing that it asks about; what is refused says why beside it. */
export const FormDialog = (props: Props) => {
  const { title, action, icon, kind = 'primary', first, busy, refused, onClose, onSubmit, children } = props;
  const t = useWords();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Refused words={refused} />
          <Button
            onClick={onClose}
            data-autofocus={first === 'cancel' || undefined}
            label={t.common.cancel}
          />
          <Button
            kind={kind}
            type="submit"
            busy={busy}
            {...(icon === undefined ? {} : { icon })}
            data-autofocus={first === 'action' || undefined}
            label={action}
          />
        </>
      }
    >
      {children}
    </Dialog>
  );
};
