import { useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { connection } from '../api/client.ts';
import { settings } from '../base/page-settings.ts';
import { personPath } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { chooseLanguage, language, secondsText, useWords } from '../i18n/i18n.ts';
import { keepTokens, missing, roleOf, session, signOut, usePerson } from '../session/session.ts';
import { beginSignIn } from '../session/sign-in.ts';
import { Button, Icon, IconButton, type IconName } from '../ui/actions/button.tsx';
import { Dialog } from '../ui/actions/dialog.tsx';
import { useAway } from '../ui/actions/menu.tsx';
import { SearchInput, TextField } from '../ui/fields/field.tsx';
import { Toasts } from '../ui/page/page.tsx';
import { chooseTheme, theme } from '../ui/page/theme.ts';
import { HelpDialog, useFocusOnNewScreen, useShortcuts } from './keyboard.tsx';
import css from './shell.module.css';

/** Asks for a way in, above whatever is open: a form below it keeps what was typed. */
const SessionDialog = () => {
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

const retryMs = 3000;

/** Says that the figures are old, and keeps asking until the service answers. */
const ConnectionBanner = () => {
  const t = useWords();
  const { lost, lastHeard } = useStore(connection);
  const queries = useQueryClient();
  const again = () => void queries.refetchQueries({ type: 'active' }, { cancelRefetch: false });
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, retryMs);
    return () => clearInterval(timer);
  }, [lost]);
  return (
    <div role="status">
      {lost && (
        <div class="banner row warning">
          <Icon name="warning" />
          <span>
            <strong>{t.connection.lost}</strong> {t.connection.showing(secondsText(lastHeard))}
          </span>
          <Button kind="quiet" onClick={again} label={t.connection.retry} />
        </div>
      )}
    </div>
  );
};

/** Leads to the page of a phone number from anywhere. */
const FindNumber = () => {
  const t = useWords();
  const [, navigate] = useLocation();
  const [typed, type] = useState('');
  const find = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || typed.trim() === '') return;
    navigate(personPath(typed.trim()));
    type('');
  };
  return (
    <search class={css.find}>
      <SearchInput
        label={t.people.find}
        inputMode="tel"
        enterKeyHint="search"
        value={typed}
        onValue={type}
        onKeyDown={find}
        data-find
      >
        <kbd>/</kbd>
      </SearchInput>
    </search>
  );
};

type NavLinkProps = { href: string; icon: IconName; label: string; also?: string };

/** `also`: another address of the same entry. */
const NavLink = ({ href, icon, label, also = href }: NavLinkProps) => {
  const [path] = useLocation();
  const active = href === '/' ? path === '/' : path.startsWith(href) || path.startsWith(also);
  return (
    <Link href={href} class={`${css.navLink} row`} aria-current={active ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
    </Link>
  );
};

const Who = () => {
  const t = useWords();
  const person = usePerson();
  const role = t.session[roleOf(person)];
  if (useStore(session) === undefined) return null;
  return (
    <div class={`${css.who} row faint`}>
      <Icon name="person" />
      <span class={`${css.whoName} stack grow`}>
        <bdi>{person.name ?? (person.mayWrite ? t.session.local : role)}</bdi>
        {person.name !== undefined && <small>{role}</small>}
      </span>
      {settings.signIn !== undefined && <Button kind="quiet" onClick={signOut} label={t.session.signOut} />}
    </div>
  );
};

/** On a narrow screen it hangs below a button of the bar. */
const RailFoot = ({ onHelp }: { onHelp: () => void }) => {
  const t = useWords();
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useAway(box, open, () => setOpen(false));
  useEffect(() => setOpen(false), [path]);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  const isDark = useStore(theme) === 'dark';
  const isEnglish = language.get() === 'en';
  const tool = (icon: IconName, label: string, onClick: () => void, lang?: string) => (
    <button type="button" class={`${css.tool} bare row`} lang={lang} onClick={onClick}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from any of its controls
    <div class={`${css.foot} menu`} ref={box} onKeyDown={leave}>
      <IconButton icon="more" label={t.more} aria-expanded={open} onClick={() => setOpen(!open)} />
      <div class={`${css.railFoot} stack ${open ? 'open' : ''}`}>
        <Who />
        {tool(
          'globe',
          t.otherLanguage,
          () => chooseLanguage(isEnglish ? 'zh' : 'en'),
          isEnglish ? 'zh-CN' : 'en',
        )}
        {tool(isDark ? 'sun' : 'moon', isDark ? t.theme.toLight : t.theme.toDark, () =>
          chooseTheme(isDark ? 'light' : 'dark'),
        )}
        {tool('keyboard', t.help.title, onHelp)}
      </div>
    </div>
  );
};

export const Shell = ({ children }: { children: ComponentChildren }) => {
  const t = useWords();
  const [help, setHelp] = useState(false);
  const person = usePerson();
  const signedIn = useStore(session) !== undefined;
  useShortcuts(() => setHelp(true));
  useFocusOnNewScreen();
  return (
    <div class={css.shell}>
      <button
        type="button"
        class={`${css.skip} hidden`}
        onClick={() => document.getElementById('content')?.focus()}
      >
        {t.skip}
      </button>
      <aside class={`${css.rail} stack no-print`}>
        <Link href="/" class={`${css.brand} row`}>
          <span class={css.brandMark}>
            <Icon name="compare" size={14} />
          </span>
          <span class={css.brandName}>{t.product}</span>
        </Link>
        {person.mayRead && <FindNumber />}
        <nav class={`${css.nav} stack`} aria-label={t.nav}>
          <NavLink href="/" icon="clock" label={t.today.title} />
          <NavLink href="/tasks" icon="tasks" label={t.tasks.title} />
          <NavLink href="/sources" icon="sources" label={t.sources.title} />
          <NavLink href="/do-not-call" icon="block" label={t.doNotCall.title} />
          <NavLink href="/service" icon="settings" label={t.settings} also="/webhooks" />
        </nav>
        <RailFoot onHelp={() => setHelp(true)} />
      </aside>
      <main class={css.content} id="content" tabIndex={-1}>
        <ConnectionBanner />
        {signedIn && !person.mayRead ? (
          <p class="banner row warning">{t.session.noRights}</p>
        ) : (
          signedIn && children
        )}
      </main>
      <Toasts />
      {help && <HelpDialog onClose={() => setHelp(false)} />}
      <SessionDialog />
    </div>
  );
};
