/** A validator compiled from a route's schema. It fills in defaults and leaves what is wrong in `errors`. */
export type Validator = {
  (data: unknown): boolean;
  errors?: readonly Violation[] | null;
};

/** A keyword of the schema that a value does not meet. */
export type Violation = {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
};

export type Validators = {
  readonly params: Validator | undefined;
  readonly query: Validator | undefined;
  readonly body: Validator | undefined;
};
