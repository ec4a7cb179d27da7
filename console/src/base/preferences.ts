/** Undefined where it fails: a private window may refuse to keep anything, and a text may be no JSON. */
export const tried = <T>(use: () => T): T | undefined => {
  try {
    return use();
  } catch {
    return undefined;
  }
};

/** What was kept for the tab's session under this key. */
export const keptInTab = <T>(key: string): T | undefined =>
  tried(() => JSON.parse(sessionStorage.getItem(key) ?? 'null')) ?? undefined;

/** Kept on this device for the next visit; where the browser keeps nothing, for this one. */
export const remembered = (key: string): string | undefined =>
  tried(() => localStorage.getItem(key)) ?? undefined;

export const remember = (key: string, value: string): void => tried(() => localStorage.setItem(key, value));
