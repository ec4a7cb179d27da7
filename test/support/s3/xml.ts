import { S3Error } from './s3-error.ts';

export type Xml = string | number | boolean | Xml[] | { [name: string]: Xml };

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Line ends are escaped too: an XML reader would turn a bare CR into LF. */
const escaped = (text: string) =>
  text.replace(/[&<>"'\r\n\t]/g, (sign) => entities[sign] ?? `&#${sign.charCodeAt(0)};`);

const element = (name: string, value: Xml): string => {
  if (Array.isArray(value)) return value.map((one) => element(name, one)).join('');
  if (typeof value !== 'object') return `<${name}>${escaped(String(value))}</${name}>`;
  const children = Object.entries(value).map(([child, inner]) => element(child, inner));
  return `<${name}>${children.join('')}</${name}>`;
};

/** A document with one root; an array becomes one element for each entry. */
export const xmlDocument = (root: string, value: Xml): string => {
  const namespace = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  const body = element(root, value).replace(`<${root}>`, `<${root}${namespace}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
};

export type PartReference = { partNumber: number; eTag: string };

/**
 * The parts a CompleteMultipartUpload names. Not an XML reader: it knows this one document, takes no
 * DTD, comment or CDATA, and ignores checksum elements.
 */
export const readPartList = (xml: string): PartReference[] => {
  const malformed = () => new S3Error('MalformedXML', 'The XML you provided was not well-formed');
  const content =
    /^(?:<\?xml[^<>]*\?>)?\s*<CompleteMultipartUpload(?: [^<>]*)?>(.*)<\/CompleteMultipartUpload>\s*$/s.exec(
      xml,
    )?.[1];
  if (content === undefined || content.includes('<!')) throw malformed();
  const parts = content.split('</Part>');
  if (parts.pop()?.trim() !== '' || parts.length === 0) throw malformed();
  return parts.map((part) => {
    const partNumber = /<PartNumber>\s*(\d{1,5})\s*<\/PartNumber>/.exec(part)?.[1];
    const eTag = /<ETag>\s*(?:"|&quot;|&#34;)?([\da-f]{32})(?:"|&quot;|&#34;)?\s*<\/ETag>/.exec(part)?.[1];
    if (!/^\s*<Part>/.test(part) || partNumber === undefined || eTag === undefined) throw malformed();
    return { partNumber: Number(partNumber), eTag };
  });
};
