/** `nothing`: read, and holds no contact. */
export type HostileCode = 'invalid' | 'tooLarge' | 'nothing';

/** A file that no client has a reason to send, and what becomes of it. */
export type Hostile = [name: string, code: HostileCode, bytes: Buffer];

export const hostile = (files: Partial<Record<HostileCode, Record<string, Buffer>>>): Hostile[] =>
  Object.entries(files).flatMap(([code, named]) =>
    Object.entries(named).map(([name, bytes]): Hostile => [name, code as HostileCode, bytes]),
  );
