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
