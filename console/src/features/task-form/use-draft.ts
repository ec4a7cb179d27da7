import { useState } from 'preact/hooks';
import { keptInTab } from '../../base/preferences.ts';

/** What is being typed outlives a reload and a new sign-in, in this tab. */
export const useDraft = <T>(name: string, initial: () => T) => {
  const key = `console.draft.${name}`;
  const [restored, setRestored] = useState(() => keptInTab<Partial<T>>(key));
  const [value, setValue] = useState<T>(() => ({ ...initial(), ...restored }));
  const forget = () => sessionStorage.removeItem(key);
  return {
    value,
    wasRestored: restored !== undefined,
    change: (next: Partial<T>) =>
      setValue((before) => {
        const after = { ...before, ...next };
        sessionStorage.setItem(key, JSON.stringify(after));
        return after;
      }),
    reset: () => {
      forget();
      setRestored(undefined);
      setValue(initial());
    },
    forget,
  };
};
