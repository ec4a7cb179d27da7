import { useState } from 'preact/hooks';
import { settings } from '../api/page-settings.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useStore } from '../ui/store.ts';
import { keepTokens, missing } from './session.ts';
import { beginSignIn } from './sign-in.ts';

/** Asks for a way in, above whatever is open: a form below it keeps what was typed. */
export const SessionDialog = () => {
  const t = useWords();
  const why = useStore(missing);
  const [token, setToken] = useState('');
  if (why === undefined) return null;
  const pool = settings.signIn;
  const isPool = pool !== undefined;
  const ended = why === 'ended' || (isPool && why === 'refused');
  const enter = () => {
    if (pool !== undefined) return void beginSignIn(pool);
    if (token.trim() === '') return;
    keepTokens({ access: token.trim() });
    setToken('');
  };
  return (
    <Dialog
      firm
      title={ended ? t.session.endedTitle : isPool ? t.session.signIn : t.session.tokenTitle}
      onClose={() => {}}
      onSubmit={enter}
      actions={
        <Button
          kind="primary"
          type="submit"
          data-autofocus={isPool || undefined}
          label={isPool ? t.session.signIn : t.session.use}
        />
      }
    >
      {ended && <p>{t.session.endedWords}</p>}
      {isPool && !ended && <p>{t.session.signInWords}</p>}
      {!isPool && <p>{t.session.tokenWords}</p>}
      {!isPool && (
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
