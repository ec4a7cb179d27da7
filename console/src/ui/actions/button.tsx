import type { JSX } from 'preact';
import { useWords } from '../../i18n/i18n.ts';
import css from './button.module.css';

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

const paths = {
  tasks: 'M3 4h10M3 8h10M3 12h6',
  sources:
    'M8 2c3.300 0 5.500.9 5.500 2S11.300 6 8 6 2.500 5.100 2.500 4 4.700 2 8 2zM2.500 4v8c0 1.100 2.200 2 5.500 2s5.500-.9 5.500-2V4M2.500 8c0 1.100 2.200 2 5.500 2s5.500-.9 5.500-2',
  block: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM3.800 3.800l8.400 8.400',
  compare: 'M3 13V7M8 13V3M13 13V9',
  settings: 'M2.500 5h6M11.500 5h2M2.500 11h2M7.500 11h6M10 3.500v3M6 9.500v3',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3.200l2 1.300',
  calendar: 'M2.500 4h11v9.500h-11zM2.500 7h11M5.500 2.500v3M10.500 2.500v3',
  bell: 'M4 11V7.500a4 4 0 0 1 8 0V11l1 1H3zM7 14h2',
  phone:
    'M4.500 2.500h2l1 3-1.500 1a7 7 0 0 0 3.500 3.500l1-1.500 3 1v2c0 .8-.7 1.500-1.500 1.500A9.500 9.500 0 0 1 3 4c0-.8.7-1.500 1.500-1.500z',
  circle: 'M8 8m-4.500 0a4.500 4.500 0 1 0 9 0a4.500 4.500 0 1 0-9 0',
  search: 'M7 2.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9zM10.300 10.300L13.500 13.500',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  left: 'M10 3.500L5.500 8l4.500 4.500',
  right: 'M6 3.500L10.500 8 6 12.500',
  first: 'M12 3.500L7.500 8l4.500 4.500M4 3.500v9',
  last: 'M4 3.500L8.500 8 4 12.500M12 3.500v9',
  down: 'M3.500 6L8 10.500 12.500 6',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1.500v1M8 13.500v1M1.500 8h1M13.500 8h1M3.400 3.400l.7.7M11.900 11.900l.7.7M3.400 12.600l.7-.7M11.900 4.100l.7-.7',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  upload: 'M8 10.500V3M5 5.500L8 2.500l3 3M2.500 10.500v3h11v-3',
  download: 'M8 2.500V10M5 7.500l3 3 3-3M2.500 12.500v1h11v-1',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'M5 3.500l7 4.500-7 4.500z',
  stop: 'M4 4h8v8H4z',
  warning: 'M8 2.500l6 11H2zM8 6.500v3M8 11.500h.01',
  person:
    'M8 2.500a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400zM3 13.500c.5-2.600 2.500-4 5-4s4.500 1.400 5 4',
  keyboard: 'M2 4.500h12v7H2zM4.500 7h.01M7 7h.01M9.500 7h.01M11.500 7h.01M5 9.500h6',
  globe:
    'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c2 2 2.500 4 2.500 6s-.5 4-2.500 6c-2-2-2.500-4-2.500-6s.5-4 2.500-6z',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  pen: 'M3 13l.700-3L10.500 3.200a1.400 1.400 0 0 1 2 0l.300.300a1.400 1.400 0 0 1 0 2L6 12.300z',
  bin: 'M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.6 9h5.800l.6-9M7 7v4M9 7v4',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: the words beside it say the same. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
