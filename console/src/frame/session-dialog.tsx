import { useState } from 'preact/hooks';
import { settings } from '../base/page-settings.ts';
import { useStore } from '../base/store.ts';
import { useWords } from '../i18n/i18n.ts';
import { keepTokens, missing } from '../session/session.ts';
import { beginSignIn } from '../session/sign-in.ts';
import { Button } from '../ui/actions/button.tsx';
import { Dialog } from '../ui/actions/dialog.tsx';
import { TextField } from '../ui/fields/field.tsx';

/** Asks for a way in, above whatever is open: a form below it keeps what was typed. */
export const SessionDialog = () => {
  const t = useWords();
  const why = useStore(missing);
  const [token, setToken] = useState('');
  if (why === undefined) return null;
  const pool = settings.signIn;
  const ended = why === 'ended' || (pool && why === 'refused');
  const enter = () => {
    if (pool) return void beginSignIn(pool);
    if (token.trim() === '') return;
    keepTokens({ access: token.trim() });
    setToken('');
  };
  return (
    <Dialog
      title={ended ? t.session.endedTitle : pool ? t.session.signIn : t.session.tokenTitle}
      onSubmit={enter}
      actions={<Button kind="primary" type="submit" label={pool ? t.session.signIn : t.session.use} />}
    >
      {ended && <p>{t.session.endedWords}</p>}
      {pool && !ended && <p>{t.session.signInWords}</p>}
      {!pool && <p>{t.session.tokenWords}</p>}
      {!pool && (
        <TextField
          label={t.session.token}
          value={token}
          error={why === 'refused' ? t.session.refused : undefined}
          onValue={setToken}
          type="password"
        />
      )}
    </Dialog>
  );
};
