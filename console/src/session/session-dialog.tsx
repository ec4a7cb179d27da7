import { useState } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';
import { settings } from '../settings.ts';
import { useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { keepTokens, missing, signIn } from './session.ts';

/** Asks for a way in, above whatever is open: a form below it keeps what was typed. */
export const SessionDialog = () => {
  const t = useWords();
  const why = useStore(missing);
  const [token, setToken] = useState('');
  if (why === undefined) return null;
  const ended = why === 'ended';
  const nothing = () => {};
  if (settings.signIn !== undefined) {
    return (
      <Dialog
        firm
        title={ended ? t.session.endedTitle : t.session.signInTitle}
        onClose={nothing}
        onSubmit={signIn}
        actions={
          <Button kind="primary" type="submit" data-autofocus>
            {t.session.signIn}
          </Button>
        }
      >
        <p>{ended ? t.session.endedWords : t.session.signInWords}</p>
      </Dialog>
    );
  }
  const use = () => {
    if (token.trim() === '') return;
    keepTokens({ access: token.trim() });
    setToken('');
  };
  return (
    <Dialog
      firm
      title={ended ? t.session.endedTitle : t.session.tokenTitle}
      onClose={nothing}
      onSubmit={use}
      actions={
        <Button kind="primary" type="submit">
          {t.session.use}
        </Button>
      }
    >
      <p>{ended ? t.session.endedWords : ''}</p>
      <p>{t.session.tokenWords}</p>
      <TextField label={t.session.token} value={token} onValue={setToken} type="password" />
    </Dialog>
  );
};
