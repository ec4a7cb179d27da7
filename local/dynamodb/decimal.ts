/** Exact arithmetic on DynamoDB's numbers: decimal strings of up to 38 digits, without an exponent. */
type Scaled = { digits: bigint; scale: number };

const significantDigits = 38;

const scaledOf = (decimal: string): Scaled => {
  const point = decimal.indexOf('.');
  return point < 0
    ? { digits: BigInt(decimal), scale: 0 }
    : { digits: BigInt(decimal.replace('.', '')), scale: decimal.length - point - 1 };
};

const aligned = (left: string, right: string): [bigint, bigint, number] => {
  const a = scaledOf(left);
  const b = scaledOf(right);
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale];
};

const textOf = (digits: bigint, scale: number): string => {
  if (scale === 0) return String(digits);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const fraction = text.slice(-scale).replace(/0+$/, '');
  const plain = text.slice(0, -scale) + (fraction === '' ? '' : `.${fraction}`);
  return digits < 0n ? `-${plain}` : plain;
};

export const compareDecimals = (left: string, right: string): number => {
  const [a, b] = aligned(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Undefined when the result has more digits than DynamoDB can hold. */
export const addDecimals = (left: string, right: string, sign: 1n | -1n): string | undefined => {
  const [a, b, scale] = aligned(left, right);
  const result = textOf(a + sign * b, scale);
  const significant = result.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return significant.length > significantDigits ? undefined : result;
};
