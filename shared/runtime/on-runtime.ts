/** @throws Error naming the variable that is not set */
export const environment = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
};

/** A function as AWS calls it: what it works with is made from the environment at the first event. */
export const onRuntime =
  <R>(createRuntime: () => R) =>
  <F extends (...args: never[]) => unknown>(create: (runtime: R) => F): F => {
    let created: F | undefined;
    return ((...args: Parameters<F>) => {
      created ??= create(createRuntime());
      return created(...args);
    }) as F;
  };
