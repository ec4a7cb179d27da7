/** What one call to DynamoDB or S3 needs: an action on a resource, and the keys it touches. */
export type Need = { action: string; resource: string; keys: string[] };

export type Statement = {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
};

const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** As IAM's StringLike: `*` is any run of characters. */
const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's').test(text);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

type Template = { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> };

/**
 * CloudFormation's ways to name a resource, as text: `Table`, `Table/index/gsi1`,
 * `Bucket/imports/*`.
 */
const nameOf = (resource: unknown): string => {
  if (typeof resource === 'string') return resource;
  const { 'Fn::GetAtt': attribute, 'Fn::Join': join } = resource as {
    'Fn::GetAtt'?: [string, string];
    'Fn::Join'?: [string, unknown[]];
  };
  if (attribute !== undefined) return attribute[0];
  return join === undefined ? JSON.stringify(resource) : join[1].map(nameOf).join(join[0]);
};

const patternsOf = ({ Condition }: Statement): string[] | undefined => {
  const [condition] = Object.values(Condition ?? {});
  const [patterns] = Object.values(condition ?? {});
  return patterns === undefined ? undefined : listOf(patterns);
};

/**
 * With `IfExists`, or for all values, a condition holds where the request names nothing that it
 * asks about.
 */
const mustName = ({ Condition }: Statement) => Object.hasOwn(Condition ?? {}, 'StringLike');

const allows = (statement: Statement, { action, resource, keys }: Need): boolean => {
  const patterns = patternsOf(statement);
  if (keys.length === 0 && mustName(statement)) return false;
  return (
    statement.Effect === 'Allow' &&
    listOf(statement.Action).includes(action) &&
    listOf(statement.Resource).some((name) => matches(nameOf(name), resource)) &&
    (patterns === undefined || keys.every((key) => patterns.some((pattern) => matches(pattern, key))))
  );
};

/** One permission as the smallest piece that can be superfluous. */
const piecesOf = (statement: Statement): string[] =>
  listOf(statement.Action).flatMap((action) =>
    listOf(statement.Resource).flatMap((resource) =>
      (patternsOf(statement) ?? ['']).map((pattern) => `${action} ${nameOf(resource)} ${pattern}`.trim()),
    ),
  );

/** The role of one function as IAM would apply it, and what of it was ever needed. */
export class RolePolicy {
  readonly statements: readonly Statement[];
  readonly refused: Need[] = [];
  readonly #used = new Set<string>();

  constructor(statements: readonly Statement[]) {
    this.statements = statements;
  }

  permits(need: Need): boolean {
    const found = this.statements.find((statement) => allows(statement, need));
    if (found === undefined) {
      this.refused.push(need);
      return false;
    }
    for (const piece of piecesOf(found)) {
      const [action, , pattern] = piece.split(' ');
      const touched = pattern === undefined || need.keys.some((key) => matches(pattern, key));
      if (action === need.action && touched) this.#used.add(piece);
    }
    return true;
  }

  /**
   * What was granted and never needed, besides what Lambda itself needs and what the stand-in of
   * Connect does not ask for.
   */
  get unused(): string[] {
    const ofHost = /^(logs|xray|sqs|connect|kms):|Stream|GetRecords|GetShardIterator/;
    return this.statements.flatMap(piecesOf).filter((piece) => !ofHost.test(piece) && !this.#used.has(piece));
  }
}

/** The statements of each function's role, by the function's logical id. */
export const rolePolicies = (template: Template): Map<string, Statement[]> => {
  const resources = Object.entries(template.Resources);
  return new Map(
    resources
      .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
      .map(([id, { Properties }]) => {
        const role = template.Resources[nameOf(Properties.Role)]?.Properties as
          | { Policies?: { PolicyDocument: { Statement: Statement[] } }[] }
          | undefined;
        return [id, (role?.Policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)];
      }),
  );
};

export { nameOf as resourceName };
