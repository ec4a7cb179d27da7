import { useLocation } from 'wouter-preact';
import { isBuiltIn } from '../../../../shared/platform/rules/names.ts';

/** The screen of a contact list. */
export const sourcePath = (id: string): string => (isBuiltIn(id) ? '/do-not-call' : `/sources/${id}`);

export const importsPath = (id: string): string => `${sourcePath(id)}?tab=imports`;

/** Files dropped on one screen for the next. */
let handed: readonly File[] = [];

export const takeOver = (): readonly File[] => {
  const files = handed;
  handed = [];
  return files;
};

/** Opens the screen that imports into the list, with the files that were dropped. */
export const useImport = (id: string) => {
  const [, navigate] = useLocation();
  return (files: readonly File[] = []) => {
    handed = files;
    navigate(`${sourcePath(id)}/import`);
  };
};
