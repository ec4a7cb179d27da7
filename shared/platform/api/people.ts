import type { Scope } from './route.ts';

/** The scopes of users, by their groups in the user pool. Users in no group have no access. */
export const scopesOfGroups = {
  viewers: ['outbound/read'],
  operators: ['outbound/read', 'outbound/write'],
} as const satisfies Record<string, readonly Scope[]>;
