import type { Access, Resources } from '../platform/api/index.ts';

/** Serves the console. The page holds no data and needs no token; its requests to the API need one. */
export const consolePage = {
  id: 'consolePage',
  file: 'console/page',
  summary: "Serves the operators' console from its own bundle",
  paths: ['/console', '/console/{proxy+}'],
  /** The bundle contains the built page. */
  carriesConsole: true,
  access: { page: true },
  memory: 512,
  timeout: 10,
} as const satisfies Resources & { id: string; file: string; summary: string; access: Access } & Record<
    string,
    unknown
  >;
