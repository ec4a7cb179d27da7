/** A typed value as on the wire: exactly one of the members is present. Binaries are base64. */
export type AttributeValue = {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  SS?: string[];
  NS?: string[];
  BS?: string[];
  L?: AttributeValue[];
  M?: Attributes;
};
/**
 * An item or a map. It is never changed in place, because the storage gives the same object to
 * several readers.
 */
export type Attributes = Record<string, AttributeValue>;
export type Path = (string | number)[];
type ValueType = keyof AttributeValue;

export const typeOf = (value: AttributeValue): ValueType => {
  for (const type in value) return type as ValueType;
  throw new Error('an attribute value without a type');
};

export const bytesOf = (base64: string) => Buffer.from(base64, 'base64');

export const valueAt = (path: Path, item: Attributes): AttributeValue | undefined => {
  let value: AttributeValue | undefined = { M: item };
  for (const step of path) value = typeof step === 'number' ? value?.L?.[step] : value?.M?.[step];
  return value;
};

const sameMembers = (left: string[], right: string[]) => {
  const members = new Set(left);
  return left.length === right.length && right.every((member) => members.has(member));
};

const sameList = (left: AttributeValue[], right: AttributeValue[]) =>
  left.length === right.length && left.every((value, i) => equal(value, right[i]));

const sameMap = (left: Attributes, right: Attributes) => {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name]))
  );
};

/** Numbers are normalised before, so equal numbers are equal strings. */
export const equal = (left: AttributeValue | undefined, right: AttributeValue | undefined): boolean => {
  if (left === undefined || right === undefined) return false;
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  if (left.L && right.L) return sameList(left.L, right.L);
  if (left.M && right.M) return sameMap(left.M, right.M);
  const members = left.SS ?? left.NS ?? left.BS;
  if (members) return sameMembers(members, right.SS ?? right.NS ?? right.BS ?? []);
  return left[type] === right[type];
};

/**
 * DynamoDB's numbers are decimal strings of up to 38 digits, without an exponent. Arithmetic on
 * them is exact.
 */
type Scaled = { digits: bigint; scale: number };

const significantDigits = 38;

const scaledOf = (decimal: string): Scaled => {
  const point = decimal.indexOf('.');
  return point < 0
    ? { digits: BigInt(decimal), scale: 0 }
    : { digits: BigInt(decimal.replace('.', '')), scale: decimal.length - point - 1 };
};

const align = (left: string, right: string): [bigint, bigint, number] => {
  const a = scaledOf(left);
  const b = scaledOf(right);
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale];
};

const decimalOf = (digits: bigint, scale: number): string => {
  if (scale === 0) return String(digits);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const fraction = text.slice(-scale).replace(/0+$/, '');
  const plain = text.slice(0, -scale) + (fraction === '' ? '' : `.${fraction}`);
  return digits < 0n ? `-${plain}` : plain;
};

const compareDecimals = (left: string, right: string): number => {
  const [a, b] = align(left, right);
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** @returns undefined if the result has more digits than DynamoDB allows */
export const addDecimals = (left: string, right: string, sign: 1n | -1n): string | undefined => {
  const [a, b, scale] = align(left, right);
  const result = decimalOf(a + sign * b, scale);
  const significant = result.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return significant.length > significantDigits ? undefined : result;
};

/**
 * Strings are ordered by their UTF-8 bytes.
 * @returns below, at or above zero; undefined for types that DynamoDB does not order
 */
export const order = (left: AttributeValue, right: AttributeValue): number | undefined => {
  if (left.N !== undefined && right.N !== undefined) return compareDecimals(left.N, right.N);
  if (left.S !== undefined && right.S !== undefined)
    return Buffer.compare(Buffer.from(left.S), Buffer.from(right.S));
  if (left.B !== undefined && right.B !== undefined) return Buffer.compare(bytesOf(left.B), bytesOf(right.B));
  return undefined;
};

const numberSize = (digits: string) => {
  const significant = digits.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
  return 1 + Math.ceil(significant / 2) + (digits.startsWith('-') ? 1 : 0);
};

const sum = <T>(values: readonly T[], size: (value: T) => number) =>
  values.reduce((total, value) => total + size(value), 0);

const valueSize = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64');
  if (value.SS) return sum(value.SS, (text) => Buffer.byteLength(text));
  if (value.NS) return sum(value.NS, numberSize);
  if (value.BS) return sum(value.BS, (binary) => Buffer.byteLength(binary, 'base64'));
  if (value.L) return 3 + sum(value.L, (member) => 1 + valueSize(member));
  if (value.M) return 3 + Object.keys(value.M).length + itemSize(value.M);
  return 1;
};

/** Bytes that count towards DynamoDB's limits. */
export const itemSize = (item: Attributes): number =>
  sum(Object.keys(item), (name) => Buffer.byteLength(name) + valueSize(item[name]!));
