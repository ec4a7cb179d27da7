import type { JSX } from 'preact';
import { useWords } from '../../i18n/i18n.ts';
import css from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

type Props = Omit<JSX.IntrinsicElements['button'], 'icon' | 'ref' | 'label'> & {
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  icon?: IconName | undefined;
  busy?: boolean;
  label: string;
};

/** Shows at once that it is at work, and cannot be pressed twice. It keeps the focus, which `disabled` would drop. */
export const Button = ({ kind = 'plain', icon, busy = false, onClick, label, ...rest }: Props) => {
  const t = useWords();
  return (
    <button
      type="button"
      {...rest}
      class={`${css.button} row ${kind}`}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span class={css.spinner} aria-hidden="true" /> : icon && <Icon name={icon} />}
      <span>{label}</span>
      {busy && <span class="hidden">{t.common.working}</span>}
    </button>
  );
};

type IconButtonProps = Omit<Props, 'kind' | 'busy'> & { icon: IconName };

export const IconButton = ({ label, icon, ...rest }: IconButtonProps) => (
  <button type="button" {...rest} class={`bare ${css.iconButton}`} aria-label={label} title={label}>
    <Icon name={icon} />
  </button>
);

/** Why something was refused, beside the button that asked for it. */
export const Refused = ({ words, id }: { words: string | undefined; id?: string }) =>
  words === undefined ? null : (
    <p class="refused" id={id} role="alert">
      {words}
    </p>
  );
