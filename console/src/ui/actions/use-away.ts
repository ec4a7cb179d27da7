import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

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
