import { render } from 'preact';
import { settings } from './base/page-settings.ts';
import { App } from './frame/app.tsx';
import { keepTokens, takeTokenFromAddress } from './session/session.ts';
import { endSignIn } from './session/sign-in.ts';
import './main.css';
import './ui/page/theme.ts';

takeTokenFromAddress();
addEventListener('hashchange', takeTokenFromAddress);
if (settings.signIn !== undefined) {
  const tokens = await endSignIn(settings.signIn).catch(() => undefined);
  if (tokens !== undefined) keepTokens(tokens);
}
render(<App />, document.getElementById('root') as HTMLElement);
