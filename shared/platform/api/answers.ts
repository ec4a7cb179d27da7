/**
 * The types of answers, from their schemas. `FromSchema` would leave an object open where its schema does not say otherwise, but
 * all schemas of answers are closed.
 */
type Schema<K extends string, V = unknown> = { readonly [Name in K]: V };
type Plain = { string: string; integer: number; number: number; boolean: boolean; null: null };

/** The values that a schema of an answer allows. */
export type Answer<S> =
  S extends Schema<'enum', readonly (infer Value)[]>
    ? Value
    : S extends Schema<'type', infer T>
      ? OfType<S, T extends readonly (infer Each)[] ? Each : T>
      : unknown;

type OfType<S, T> = T extends keyof Plain
  ? Plain[T]
  : T extends 'array'
    ? readonly (S extends Schema<'items', infer Item> ? Answer<Item> : unknown)[]
    : S extends Schema<'properties', infer P>
      ? ObjectOf<P, S extends Schema<'required', readonly (infer Name)[]> ? Name : never>
      : {
          readonly [name: string]: S extends Schema<'additionalProperties', infer Value>
            ? Answer<Value>
            : unknown;
        };

type ObjectOf<P, Required> = { readonly [K in keyof P as K extends Required ? K : never]: Answer<P[K]> } & {
  readonly [K in keyof P as K extends Required ? never : K]?: Answer<P[K]>;
};

/** The names, at any depth, that an answer `A` has and the allowed values `D` have not. */
export type Unknown<A, D> = A extends readonly (infer Item)[]
  ? Unknown<Item, Extract<D, readonly unknown[]>[number]>
  : A extends object
    ? UnknownOf<A, Extract<D, object>>
    : never;
type UnknownOf<A, D> = [D] extends [never]
  ? never
  : {
      [K in keyof A & string]-?: K extends keyof D ? Unknown<A[K], D[K]> : string extends K ? never : K;
    }[keyof A & string];
