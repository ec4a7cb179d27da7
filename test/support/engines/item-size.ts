import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Attributes = Record<string, AttributeValue>;

const utf8 = (text: string) => Buffer.byteLength(text);
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

/** One byte for each two significant digits, one more, and one for a sign. */
const numberSize = (text: string) => {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith('-') ? 1 : 0);
};

/** On the wire, bytes are base64. */
const bytesOf = (bytes: Uint8Array | string) =>
  typeof bytes === 'string' ? Buffer.byteLength(bytes, 'base64') : bytes.length;

const containerOverhead = 3;

const valueSize = (value: AttributeValue): number => {
  if (value.S !== undefined) return utf8(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return bytesOf(value.B);
  if (value.SS !== undefined) return sum(value.SS.map(utf8));
  if (value.NS !== undefined) return sum(value.NS.map(numberSize));
  if (value.BS !== undefined) return sum(value.BS.map(bytesOf));
  if (value.L !== undefined) return containerOverhead + sum(value.L.map((element) => 1 + valueSize(element)));
  if (value.M !== undefined) return containerOverhead + itemSize(value.M) + Object.keys(value.M).length;
  return 1;
};

/** Bytes of an item by DynamoDB's published rules; 0 for no item. */
export const itemSize = (item: Attributes | undefined): number =>
  sum(Object.entries(item ?? {}).map(([name, value]) => utf8(name) + valueSize(value)));
