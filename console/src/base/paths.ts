/** The number stands in the fragment, which no server is told: numbers are in no path and no log. */
export const personPath = (phoneNumber: string): string => `/people#${encodeURIComponent(phoneNumber)}`;

/** The calls of a task, as its filters say; `call` is the call that is open beside them. */
export const callsPath = (taskId: string, filter: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams(filter).toString();
  return `/tasks/${taskId}/calls${query === '' ? '' : `?${query}`}`;
};
