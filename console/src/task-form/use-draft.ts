import { useEffect, useState } from 'preact/hooks';
import { keptInTab } from '../ui/preferences.ts';

const prefix = 'console.draft.';

/** What is being typed outlives a reload and a new sign-in, in this tab. */
export const useDraft = <T>(key: string, initial: () => T) => {
  const [restored] = useState(() => keptInTab<Partial<T>>(prefix + key));
  const [value, setValue] = useState<T>(() => ({ ...initial(), ...restored }));
  const [touched, setTouched] = useState(restored !== undefined);
  const [wasRestored, setWasRestored] = useState(restored !== undefined);
  useEffect(() => {
    if (touched) sessionStorage.setItem(prefix + key, JSON.stringify(value));
  }, [key, value, touched]);
  return {
    value,
    wasRestored,
    change: (next: Partial<T>) => {
      setTouched(true);
      setValue((before) => ({ ...before, ...next }));
    },
    reset: (next: T) => {
      sessionStorage.removeItem(prefix + key);
      setTouched(false);
      setWasRestored(false);
      setValue(next);
    },
    forget: () => {
      sessionStorage.removeItem(prefix + key);
      setTouched(false);
    },
  };
};
