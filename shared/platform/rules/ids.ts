const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 16;
const idPattern = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** An opaque, URL-safe id of 80 random bits. The alphabet has no look-alikes. */
export const idFrom = (random: Uint8Array): string =>
  Array.from({ length: idLength }, (_, i) => alphabet[(random[i] ?? 0) % alphabet.length]).join('');

/** Whether a client's id has the format of our ids. Other ids are treated as not found. */
export const isId = (text: string): boolean => idPattern.test(text);

/** The id of the do-not-call list, which the service did not give out. */
export const doNotCallId = 'do-not-call';

/** A data source that exists without having been added. */
export const isBuiltIn = (id: string): boolean => id === doNotCallId;
