import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/screens.css';
import { App } from './app.tsx';
import { keepTokens, takeTokenFromAddress } from './session/session.ts';
import { endSignIn } from './session/sign-in.ts';
import { settings } from './settings.ts';
import './theme.ts';

takeTokenFromAddress();
addEventListener('hashchange', takeTokenFromAddress);
if (settings.signIn !== undefined) {
  const tokens = await endSignIn(settings.signIn).catch(() => undefined);
  if (tokens !== undefined) keepTokens(tokens);
}
render(<App />, document.getElementById('root') as HTMLElement);
