import { compareDecimals } from './decimal.ts';

/** One typed value as it travels: exactly one of the members is there; binaries are base64. */
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
/** An item or a map. Never changed in place: the storage hands the same object to several readers. */
export type Attributes = Record<string, AttributeValue>;
export type Path = (string | number)[];
export type ValueType = keyof AttributeValue;

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

/** Numbers are in one normal form already, so that equal numbers are equal strings. */
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

/** Below, at or above zero; undefined where DynamoDB knows no order. Strings sort by their UTF-8 bytes. */
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
