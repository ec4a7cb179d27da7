import { useLocation } from 'wouter-preact';

/** Files dropped on one screen for the next. */
let handed: readonly File[] = [];

export const takeOver = (): readonly File[] => {
  const files = handed;
  handed = [];
  return files;
};

/** The ways to the screen at `path` that imports: by a button, and with files that were dropped. */
export const useImportAt = (path: string) => {
  const [, navigate] = useLocation();
  return {
    open: () => navigate(path),
    drop: (files: readonly File[]) => {
      handed = files;
      navigate(path);
    },
  };
};
