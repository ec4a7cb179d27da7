import { allRoutes } from '../../shared/app/all-routes.ts';
import type { Route } from '../../shared/platform/api/index.ts';
import { invalid, MethodNotAllowed, ServiceError } from '../../shared/platform/rules/index.ts';

export type Match = { route: Route; params: Record<string, string> };

const isParameter = (segment: string) => segment.startsWith('{');
const nameOf = (segment: string) => segment.slice(1, -1);

const templates = allRoutes
  .map((route) => ({ route, segments: route.path.split('/') }))
  // As in API Gateway, a fixed segment takes precedence over a parameter.
  .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length);

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('path', 'is not validly percent-encoded', 'BAD_FORMAT');
  }
};

const fits = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, i) => (isParameter(part) ? segments[i] !== '' : part === segments[i]));

/** @throws ServiceError notFound for an unknown path, MethodNotAllowed for another method of a known path */
export const match = (method: string, path: string): Match => {
  const segments = path.split('/');
  const candidates = templates.filter(({ segments: template }) => fits(template, segments));
  if (candidates.length === 0) throw new ServiceError('PATH_NOT_FOUND', `${path} does not exist`);
  const found = candidates.find(({ route }) => route.method === method);
  if (found === undefined) {
    throw new MethodNotAllowed(method, [...new Set(candidates.map(({ route }) => route.method))].join(', '));
  }
  const params = found.segments.flatMap((part, i) =>
    isParameter(part) ? [[nameOf(part), decoded(segments[i] ?? '')]] : [],
  );
  return { route: found.route, params: Object.fromEntries(params) };
};
