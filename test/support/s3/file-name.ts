import { createHash } from 'node:crypto';

/** File systems take 255 bytes. */
const maxNameLength = 240;
const suffix = '.object';

/**
 * One flat file name for any key: letters, digits, `-`, `_` and `.` stay, all else is percent-encoded,
 * so that no key reaches another folder. A key too long for that is named by its hash.
 */
export const fileNameOf = (key: string): string => {
  const name = encodeURIComponent(key).replace(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (name.length <= maxNameLength) return `${name}${suffix}`;
  return `~${createHash('sha256').update(key).digest('hex')}${suffix}`;
};

/** The key, or undefined where only the file's own description tells it. */
export const keyOfFileName = (name: string): string | undefined =>
  name.startsWith('~') ? undefined : decodeURIComponent(name.slice(0, -suffix.length));
