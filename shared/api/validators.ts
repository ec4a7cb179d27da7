/** A validator compiled from a route's schema; it fills in defaults and leaves its complaints behind. */
export type Validator = {
  (data: unknown): boolean;
  errors?: readonly Complaint[] | null;
};

export type Complaint = {
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
