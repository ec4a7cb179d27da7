import { useLocation } from 'wouter-preact';

/** A file dropped on one screen for the next. */
let handed: File | undefined;

export const takeOver = (): File | undefined => {
  const file = handed;
  handed = undefined;
  return file;
};

/** The ways to the screen at `path` that imports: by a button, and with a file that was dropped. */
export const useImportAt = (path: string) => {
  const [, navigate] = useLocation();
  return {
    open: () => navigate(path),
    drop: (file: File) => {
      handed = file;
      navigate(path);
    },
  };
};
