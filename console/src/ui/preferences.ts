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
