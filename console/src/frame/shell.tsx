import { useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { connection } from '../api/client.ts';
import { settings } from '../api/page-settings.ts';
import { secondsText } from '../i18n/format.ts';
import { chooseLanguage, language, useWords } from '../i18n/i18n.ts';
import { roleOf, usePerson } from '../session/person.ts';
import { session, signOut } from '../session/session.ts';
import { SessionDialog } from '../session/session-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useStore } from '../ui/store.ts';
import { chooseTheme, theme } from '../ui/theme.ts';
import { Toasts } from '../ui/toast.tsx';
import { FindNumber } from './find-number.tsx';
import { HelpDialog, useShortcuts } from './help.tsx';
import './shell.css';

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

const NavLink = ({ href, icon, label }: { href: string; icon: IconName; label: string }) => {
  const [path] = useLocation();
  const active = href === '/' ? path === '/' : path.startsWith(href);
  return (
    <Link href={href} class="nav-link row" aria-current={active ? 'page' : undefined}>
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
    <div class="who row">
      <Icon name="person" />
      <span class="who-name stack">
        <bdi>{person.name ?? (person.mayWrite ? t.session.local : role)}</bdi>
        {person.name !== undefined && <small>{role}</small>}
      </span>
      {settings.signIn !== undefined && <Button kind="quiet" onClick={signOut} label={t.session.signOut} />}
    </div>
  );
};

type ToolProps = { icon: IconName; label?: string; lang?: string; onClick: () => void; words?: string };

const Tool = ({ icon, label, words, ...rest }: ToolProps) => (
  <button type="button" {...rest} class="tool bare row" aria-label={label} title={label}>
    <Icon name={icon} />
    {words && <span>{words}</span>}
  </button>
);

const RailFoot = ({ onHelp }: { onHelp: () => void }) => {
  const t = useWords();
  const isDark = useStore(theme) === 'dark';
  const isEnglish = language.get() === 'en';
  return (
    <div class="rail-foot stack">
      <Who />
      <div class="rail-tools row">
        <Tool
          icon="globe"
          words={t.otherLanguage}
          lang={isEnglish ? 'zh-CN' : 'en'}
          onClick={() => chooseLanguage(isEnglish ? 'zh' : 'en')}
        />
        <Tool
          icon={isDark ? 'sun' : 'moon'}
          label={isDark ? t.theme.toLight : t.theme.toDark}
          onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
        />
        <Tool icon="keyboard" label={t.help.title} onClick={onHelp} />
      </div>
    </div>
  );
};

/** How far each address was scrolled. */
const scrolled = new Map<string, number>();
let returnTo: number | undefined;
addEventListener('scroll', () => scrolled.set(location.href, scrollY), { passive: true });
addEventListener('popstate', () => {
  returnTo = scrolled.get(location.href);
});

/** A new screen is announced by its heading and begins at its top; Back returns to the same place. */
const useFocusOnNewScreen = () => {
  const [path] = useLocation();
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const top = returnTo ?? 0;
    returnTo = undefined;
    const begin = (): boolean => {
      const heading = document.querySelector<HTMLElement>('main h1');
      if (heading === null) return false;
      scrollTo(0, top);
      heading.focus({ preventScroll: true });
      return true;
    };
    if (begin()) return;
    // The screen is being fetched.
    const observer = new MutationObserver(() => begin() && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [path]);
};

export const Shell = ({ children }: { children: ComponentChildren }) => {
  const t = useWords();
  const [help, setHelp] = useState(false);
  const person = usePerson();
  const signedIn = useStore(session) !== undefined;
  useShortcuts(() => setHelp(true));
  useFocusOnNewScreen();
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {t.skip}
      </button>
      <aside class="rail stack no-print">
        <Link href="/" class="brand row">
          <span class="brand-mark">
            <Icon name="phone" />
          </span>
          <span class="brand-name">{t.product}</span>
        </Link>
        {person.mayRead && <FindNumber />}
        <nav class="nav stack" aria-label={t.nav}>
          <NavLink href="/" icon="clock" label={t.today.title} />
          <NavLink href="/tasks" icon="tasks" label={t.tasks.title} />
          <NavLink href="/sources" icon="sources" label={t.sources.title} />
          <NavLink href="/do-not-call" icon="block" label={t.doNotCall.title} />
          <NavLink href="/compare" icon="compare" label={t.compare.title} />
        </nav>
        <RailFoot onHelp={() => setHelp(true)} />
      </aside>
      <main class="content" id="content" tabIndex={-1}>
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
