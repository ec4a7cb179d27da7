const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 16;
const idPattern = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** 80 bits of the given randomness as an opaque, URL-safe id; the alphabet leaves out look-alikes. */
export const idFrom = (random: Uint8Array): string =>
  Array.from({ length: idLength }, (_, i) => alphabet[(random[i] ?? 0) % alphabet.length]).join('');

/** Whether a client's id can be one of ours at all; anything else is simply not found. */
export const isId = (text: string): boolean => idPattern.test(text);
