import type { Access, Resources } from './route.ts';

/** The operator's page. It holds no data and needs no token; what it asks the API for does. */
export const consolePage = {
  id: 'consolePage',
  file: 'console/page',
  summary: "Serves the operator's console from its own bundle",
  paths: ['/console', '/console/{proxy+}'],
  /** The built page lies beside the function's code. */
  carriesConsole: true,
  access: { table: [] },
  memory: 512,
  timeout: 10,
} as const satisfies Resources & { id: string; file: string; summary: string; access: Access } & Record<
    string,
    unknown
  >;
