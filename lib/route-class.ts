import type { Route } from '../shared/api/route.ts';
import type { RouteClass } from './settings/settings.ts';

export const isStreamed = ({ response }: Route) => 'file' in response;

/** Asking for an upload counts as an import: the file that arrives starts one. */
export const classOf = (route: Route): RouteClass => {
  if (isStreamed(route)) return 'export';
  if (route.tag === 'Contact files' && route.method === 'POST') return 'import';
  return route.scope === 'outbound/dial' ? 'dial' : 'general';
};
