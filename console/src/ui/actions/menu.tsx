import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, IconButton, type IconName } from './button.tsx';
import css from './menu.module.css';

/** Closes what is open in the box when the reader presses outside of it. */
export const useAway = (box: RefObject<HTMLElement>, isOpen: boolean, close: () => void): void =>
  useEffect(() => {
    if (!isOpen) return;
    const away = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, [isOpen]);

export type MenuItem = { label: string; icon?: IconName; danger?: boolean; onChoose: () => void };

/** A button that opens a short list of actions: arrows move, Escape closes, the focus comes back. */
export const Menu = ({ label, ...props }: { label: string; items: readonly (MenuItem | false)[] }) => {
  const items = props.items.filter((item) => item !== false);
  /** Where the list hangs; undefined while it is closed. */
  const [side, open] = useState<'from-left' | 'from-right' | undefined>();
  const box = useRef<HTMLDivElement>(null);
  const buttons = () => [...(box.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]') ?? [])];
  useEffect(() => {
    if (side !== undefined) buttons()[0]?.focus();
  }, [side]);
  useAway(box, side !== undefined, () => open(undefined));
  const close = () => {
    open(undefined);
    box.current?.querySelector('button')?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const next = steps[event.key];
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') open(undefined);
    else if (next !== undefined) {
      event.preventDefault();
      all.at(next % all.length)?.focus();
    }
  };
  if (items.length === 0) return null;
  return (
    <div class="menu" ref={box}>
      <IconButton
        label={label}
        icon="more"
        aria-haspopup="menu"
        aria-expanded={side !== undefined}
        onClick={({ currentTarget }) => {
          const isLeft = currentTarget.getBoundingClientRect().right < innerWidth / 2;
          open(side ? undefined : isLeft ? 'from-left' : 'from-right');
        }}
      />
      {side && (
        <div
          class={`${css.list} popup stack ${side}`}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={move}
        >
          {items.map((item) => (
            <button
              type="button"
              role="menuitem"
              key={item.label}
              class={item.danger ? 'bare row danger' : 'bare row'}
              onClick={() => {
                close();
                item.onChoose();
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
