import fc from 'fast-check';

/** What is asked of a world in a random test: an operation with its arguments. */
export type Step<World> = (world: World) => Promise<void>;

type Operations<World> = {
  [K in keyof World]: World[K] extends (...args: never[]) => Promise<void> ? K : never;
}[keyof World];
type Arbitraries<T extends unknown[]> = { [I in keyof T]-?: fc.Arbitrary<T[I]> };
type ArgumentsOf<F> = F extends (...args: infer T) => Promise<void> ? T : never;

/**
 * For `fc.oneof`: how often the operation is taken, its name, and where its arguments come from.
 */
export const stepsOf =
  <World>() =>
  <K extends Operations<World>>(weight: number, name: K, ...args: Arbitraries<ArgumentsOf<World[K]>>) => ({
    weight,
    arbitrary: fc.tuple<unknown[]>(...(args as fc.Arbitrary<unknown>[])).map((given): Step<World> => {
      const text = () => `${String(name)}${JSON.stringify(given)}`;
      const run = (world: World) => (world[name] as (...all: unknown[]) => Promise<void>)(...given);
      return Object.assign(run, { toString: text, [fc.toStringMethod]: text });
    }),
  });
