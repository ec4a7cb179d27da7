/** `nothing`: read, and holds no contact. */
export type HostileCode = 'invalid' | 'tooLarge' | 'nothing';

/** A file that no client has a reason to send, and what becomes of it. */
export type Hostile = [name: string, code: HostileCode, bytes: Buffer];
