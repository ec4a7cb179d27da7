import type { Access, Resources } from './route.ts';

/** The function in front of every endpoint: it reads the token and nothing else. */
export const authorizeRequest = {
  id: 'authorizeRequest',
  file: 'authorizer/authorize',
  summary: 'Checks access tokens and says which endpoints each may call',
  access: { table: [] },
  memory: 512,
  timeout: 10,
} as const satisfies Resources & { id: string; file: string; summary: string; access: Access };
