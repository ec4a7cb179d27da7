import { bundle } from '../../../scripts/bundle.mjs';

const files = new Map<string, Promise<string>>();

/**
 * What `node` runs as that program of the project, which is named by its path; bundled once for all
 * tests.
 */
export const programOf = (entry: string): Promise<string> => {
  const file = files.get(entry) ?? (bundle(entry) as Promise<string>);
  files.set(entry, file);
  return file;
};
