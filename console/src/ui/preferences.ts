/** What was kept for the tab's session under this key. */
export const keptInTab = <T>(key: string): T | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};

/** Kept on this device for the next visit; where the browser keeps nothing, for this one. */
export const remembered = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

export const remember = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A private window may refuse: the choice then lasts as long as the page.
  }
};
