import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/session.ts';
import { Button } from '../ui/actions/button.tsx';
import { Dialog } from '../ui/actions/dialog.tsx';
import { Facts } from '../ui/figures/figures.tsx';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio]), textarea, select');

const focusOn = (field: string) => document.querySelector<HTMLInputElement>(field)?.focus();

/** Keys that work everywhere except in a field or a dialog, with what they do. */
const useKeys = (openHelp: () => void): [key: string, words: string, action: () => void][] => {
  const t = useWords();
  const [, navigate] = useLocation();
  const { mayWrite } = usePerson();
  return [
    ['/', `${t.people.find} (Ctrl K)`, () => focusOn('[data-find]')],
    ['f', t.help.search, () => focusOn('[data-search]')],
    ['?', t.help.help, openHelp],
    ['h', t.today.title, () => navigate('/')],
    ['t', t.tasks.title, () => navigate('/tasks')],
    ['d', t.sources.title, () => navigate('/sources')],
    ['x', t.doNotCall.title, () => navigate('/do-not-call')],
    ...(mayWrite ? [['n', t.tasks.new, () => navigate('/tasks/new')] as [string, string, () => void]] : []),
  ];
};

export const useShortcuts = (openHelp: () => void): void => {
  const keys = useKeys(openHelp);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isInDialog = document.querySelector('dialog[open]') !== null;
      if (event.key === 'Escape' && isTyping(event.target) && !isInDialog)
        (event.target as HTMLElement).blur();
      const isFind = event.key === 'k' && (event.ctrlKey || event.metaKey) && !isInDialog;
      if (isFind) {
        event.preventDefault();
        focusOn('[data-find]');
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isInDialog) return;
      const action = keys.find(([key]) => key === event.key)?.[2];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
};

export const HelpDialog = ({ onClose }: { onClose: () => void }) => {
  const t = useWords();
  const keys = [...useKeys(onClose), ['Esc', t.help.escape] as const];
  const facts = keys.map(([key, words]) => [<kbd key={key}>{key}</kbd>, words] as const);
  return (
    <Dialog
      title={t.help.title}
      onClose={onClose}
      actions={<Button data-autofocus label={t.common.close} onClick={onClose} />}
    >
      <Facts facts={facts} />
    </Dialog>
  );
};

/** How far each address was scrolled. */
const scrolled = new Map<string, number>();
let returnTo: number | undefined;
addEventListener('scroll', () => scrolled.set(location.href, scrollY), { passive: true });
addEventListener('popstate', () => {
  returnTo = scrolled.get(location.href);
});

/** A new screen is announced by its heading, or its first field where it is a form, and begins at its top; Back returns to where it was scrolled. */
export const useFocusOnNewScreen = () => {
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
      (document.querySelector<HTMLElement>('main [data-first]') ?? heading).focus({ preventScroll: true });
      return true;
    };
    if (begin()) return;
    // The screen is being fetched.
    const observer = new MutationObserver(() => begin() && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [path]);
};
