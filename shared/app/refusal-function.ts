import type { Access, Resources } from '../platform/api/index.ts';

/** Answers requests without a token: wrong methods of known paths, and the preflights of browsers. */
export const refuseMethod = {
  id: 'refuseMethod',
  file: 'refusal/refuse',
  summary: "Refuses methods that a path does not have, and answers browsers' preflights",
  access: {},
  memory: 512,
  timeout: 10,
} as const satisfies Resources & { id: string; file: string; summary: string; access: Access };
