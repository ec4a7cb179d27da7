import type { Access, Resources } from '../platform/api/index.ts';

/** The function in front of every endpoint. It reads the access token and uses no table. */
export const authorizeRequest = {
  id: 'authorizeRequest',
  file: 'authorizer/authorize',
  summary: 'Checks access tokens and decides which endpoints each token may call',
  access: { tokens: true },
  memory: 512,
  timeout: 10,
} as const satisfies Resources & { id: string; file: string; summary: string; access: Access };
