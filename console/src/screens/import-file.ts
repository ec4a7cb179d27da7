/** A file dropped on one screen for the next. */
let handed: File | undefined;

export const handOver = (file: File): void => {
  handed = file;
};

export const takeOver = (): File | undefined => {
  const file = handed;
  handed = undefined;
  return file;
};
