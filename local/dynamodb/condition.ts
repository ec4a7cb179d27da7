import {
  type Attributes,
  type AttributeValue,
  bytesOf,
  equal,
  order,
  type Path,
  typeOf,
  valueAt,
} from './attribute-value.ts';

type SizeOf = { type: 'function'; name: 'size'; args: [Operand] };
type Operand = Path | AttributeValue | SizeOf;
type Joined = { type: 'and' | 'or'; args: [Condition, Condition] };
type Negated = { type: 'not'; args: [Condition] };
type Test =
  | { type: 'function'; name: string; args: Operand[] }
  | { type: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'in' | 'between'; args: Operand[] };
/** A condition as dynalite's parser returns it. */
export type Condition = Joined | Negated | Test;

const sizeOf = (value: AttributeValue | undefined): AttributeValue | undefined => {
  if (value === undefined) return undefined;
  const { S, B, SS, NS, BS, L, M } = value;
  if (S !== undefined) return { N: String(Buffer.byteLength(S)) };
  if (B !== undefined) return { N: String(Buffer.byteLength(B, 'base64')) };
  const members = SS ?? NS ?? BS ?? L ?? (M && Object.keys(M));
  return members && { N: String(members.length) };
};

const resolve = (operand: Operand, item: Attributes): AttributeValue | undefined => {
  if (Array.isArray(operand)) return valueAt(operand, item);
  return 'type' in operand ? sizeOf(resolve(operand.args[0], item)) : operand;
};

const contains = (whole: AttributeValue, part: AttributeValue): boolean => {
  if (whole.S !== undefined && part.S !== undefined) return whole.S.includes(part.S);
  if (whole.B !== undefined && part.B !== undefined) return bytesOf(whole.B).includes(bytesOf(part.B));
  if (whole.L) return whole.L.some((member) => equal(member, part));
  if (part.S !== undefined) return whole.SS?.includes(part.S) ?? false;
  if (part.N !== undefined) return whole.NS?.includes(part.N) ?? false;
  if (part.B !== undefined) return whole.BS?.includes(part.B) ?? false;
  return false;
};

const beginsWith = (whole: AttributeValue, start: AttributeValue): boolean => {
  if (whole.S !== undefined && start.S !== undefined) return whole.S.startsWith(start.S);
  if (whole.B === undefined || start.B === undefined) return false;
  const bytes = bytesOf(start.B);
  return bytesOf(whole.B).subarray(0, bytes.length).equals(bytes);
};

const functionHolds = (name: string, args: (AttributeValue | undefined)[]): boolean => {
  const [first, second] = args;
  if (name === 'attribute_exists') return first !== undefined;
  if (name === 'attribute_not_exists') return first === undefined;
  if (first === undefined || second === undefined) return false;
  if (name === 'begins_with') return beginsWith(first, second);
  if (name === 'contains') return contains(first, second);
  return name === 'attribute_type' && typeOf(first) === second.S;
};

const ordered: Record<'<' | '<=' | '>' | '>=', (sign: number) => boolean> = {
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
};

const compares = (
  operator: keyof typeof ordered,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean => {
  const sign = left && right && order(left, right);
  return sign !== undefined && ordered[operator](sign);
};

const testHolds = (test: Test, item: Attributes): boolean => {
  const args = test.args.map((operand) => resolve(operand, item));
  if (test.type === 'function') return functionHolds(test.name, args);
  const [left, right, upper] = args;
  if (test.type === '=') return equal(left, right);
  if (test.type === '<>') return !equal(left, right);
  if (test.type === 'in') return args.slice(1).some((candidate) => equal(left, candidate));
  if (test.type === 'between') return compares('>=', left, right) && compares('<=', left, upper);
  return compares(test.type, left, right);
};

/** Whether the item meets the condition. An item that does not exist is `{}`. */
export const holds = (condition: Condition, item: Attributes): boolean => {
  switch (condition.type) {
    case 'and':
      return condition.args.every((part) => holds(part, item));
    case 'or':
      return condition.args.some((part) => holds(part, item));
    case 'not':
      return !holds(condition.args[0], item);
    default:
      return testHolds(condition, item);
  }
};
