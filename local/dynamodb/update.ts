import {
  type Attributes,
  type AttributeValue,
  addDecimals,
  type Path,
  typeOf,
  valueAt,
} from './attribute-value.ts';
import { invalid } from './errors.ts';

type Operand =
  | Path
  | AttributeValue
  | { type: 'add' | 'subtract'; args: [Operand, Operand] }
  | { type: 'function'; name: 'if_not_exists'; args: [Path, Operand] }
  | { type: 'function'; name: 'list_append'; args: [Operand, Operand] };
/** A clause of an update as dynalite's parser returns it. */
export type Section =
  | { type: 'set'; path: Path; val: Operand }
  | { type: 'remove'; path: Path }
  | { type: 'add' | 'delete'; path: Path; val: AttributeValue };

const wrongType = () => invalid('An operand in the update expression has an incorrect data type');

const sumOf = (left: AttributeValue, right: AttributeValue, sign: 1n | -1n): AttributeValue => {
  if (left.N === undefined || right.N === undefined) throw wrongType();
  const N = addDecimals(left.N, right.N, sign);
  if (N === undefined) throw invalid('Attempting to store more than 38 significant digits in a Number');
  return { N };
};

const resolve = (operand: Operand, item: Attributes): AttributeValue => {
  if (Array.isArray(operand)) {
    const value = valueAt(operand, item);
    if (value) return value;
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  }
  if (!('type' in operand)) return operand;
  if (operand.type === 'function' && operand.name === 'if_not_exists')
    return valueAt(operand.args[0], item) ?? resolve(operand.args[1], item);
  const [left, right] = operand.args.map((arg) => resolve(arg, item)) as [AttributeValue, AttributeValue];
  if (operand.type === 'function') {
    if (!left.L || !right.L) throw wrongType();
    return { L: [...left.L, ...right.L] };
  }
  return sumOf(left, right, operand.type === 'add' ? 1n : -1n);
};

const added = (old: AttributeValue | undefined, value: AttributeValue): AttributeValue => {
  if (old === undefined) return value;
  const type = typeOf(value) as 'N' | 'SS' | 'NS' | 'BS';
  if (typeOf(old) !== type) throw wrongType();
  return type === 'N' ? sumOf(old, value, 1n) : { [type]: [...new Set([...old[type]!, ...value[type]!])] };
};

/** A set that loses its last member is removed: DynamoDB stores no empty sets. */
const deleted = (old: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined => {
  if (old === undefined) return undefined;
  const type = typeOf(value) as 'SS' | 'NS' | 'BS';
  if (typeOf(old) !== type) throw wrongType();
  const gone = new Set(value[type]);
  const left = old[type]!.filter((member) => !gone.has(member));
  return left.length === 0 ? undefined : { [type]: left };
};

const valueAfter = (section: Section, item: Attributes): AttributeValue | undefined => {
  if (section.type === 'remove') return undefined;
  if (section.type === 'set') return resolve(section.val, item);
  const old = valueAt(section.path, item);
  return section.type === 'add' ? added(old, section.val) : deleted(old, section.val);
};

/** A plain assignment to an attribute named `__proto__` would set the prototype. */
const assign = (map: Attributes, name: string, value: AttributeValue) =>
  Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });

/** Every clause reads the item as it was before. @returns the item after the update */
export const applyUpdate = (item: Attributes, sections: readonly Section[]): Attributes => {
  const next = { ...item };
  for (const section of sections) {
    const [name, ...inside] = section.path;
    if (typeof name !== 'string' || inside.length > 0)
      throw invalid('Updates inside maps and lists are not supported by this engine');
    const value = valueAfter(section, item);
    if (value) assign(next, name, value);
    else delete next[name];
  }
  return next;
};
