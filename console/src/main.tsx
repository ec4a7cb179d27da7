import { render } from 'preact';
import './main.css';
import { settings } from './api/page-settings.ts';
import { App } from './frame/app.tsx';
import { keepTokens, takeTokenFromAddress } from './session/session.ts';
import { endSignIn } from './session/sign-in.ts';
import './ui/theme.ts';

takeTokenFromAddress();
addEventListener('hashchange', takeTokenFromAddress);
if (settings.signIn !== undefined) {
  const tokens = await endSignIn(settings.signIn).catch(() => undefined);
  if (tokens !== undefined) keepTokens(tokens);
}
render(<App />, document.getElementById('root') as HTMLElement);
