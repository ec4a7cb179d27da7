import type { Scope } from './route.ts';

/** What people may do follows from their groups of the user pool; of no group: nothing. */
export const scopesOfGroups = {
  viewers: ['outbound/read'],
  operators: ['outbound/read', 'outbound/write'],
} as const satisfies Record<string, readonly Scope[]>;
