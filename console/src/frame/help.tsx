import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import './help.css';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio]), textarea, select');

/** Keys that work anywhere but in a field or a dialog. */
export const useShortcuts = (openHelp: () => void): void => {
  const [, navigate] = useLocation();
  const { mayWrite } = usePerson();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isTyping(event.target) && !document.querySelector('dialog[open]')) {
        (event.target as HTMLElement).blur();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const actions: Record<string, () => void> = {
        '/': () => document.querySelector<HTMLInputElement>('[data-search]')?.focus(),
        '?': openHelp,
        t: () => navigate('/'),
        d: () => navigate('/sources'),
        x: () => navigate('/do-not-call'),
        ...(mayWrite ? { n: () => navigate('/tasks/new') } : {}),
      };
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, openHelp, mayWrite]);
};

export const HelpDialog = ({ onClose }: { onClose: () => void }) => {
  const t = useWords();
  const keys: [string, string][] = [
    ['/', t.help.search],
    ['?', t.help.help],
    ['Esc', t.help.escape],
    ['t', t.tasks.title],
    ['d', t.sources.title],
    ['x', t.doNotCall.title],
    ...(usePerson().mayWrite ? [['n', t.tasks.new] as [string, string]] : []),
  ];
  return (
    <Dialog
      title={t.help.title}
      onClose={onClose}
      actions={
        <Button data-autofocus onClick={onClose}>
          {t.common.close}
        </Button>
      }
    >
      <dl class="keys">
        {keys.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
};
