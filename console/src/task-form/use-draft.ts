import { useEffect, useState } from 'preact/hooks';

const prefix = 'console.draft.';

const kept = <T>(key: string): Partial<T> | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};

/** What is being typed outlives a reload and a new sign-in, in this tab. */
export const useDraft = <T>(key: string, initial: () => T) => {
  const [restored] = useState(() => kept<T>(key));
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
