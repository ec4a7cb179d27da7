import { constants, crc32, deflateRawSync } from 'node:zlib';

/**
 * A part of a hand-made archive; each of the last fields forges what would otherwise be the truth.
 */
export type ForgedPart = {
  name: string;
  content: string | Buffer;
  packed?: Buffer;
  crc?: number;
  size?: number;
  localSize?: number;
  localName?: string;
  flags?: number;
  method?: number;
  /** Where the directory says the part is. */
  offset?: number;
};

/**
 * A part of that many megabytes of one byte, packed as the same piece over and over: in no time.
 */
export const bomb = (name: string, megabytes: number, fill = 0): ForgedPart & { packed: Buffer } => {
  const piece = Buffer.alloc(1024 * 1024, fill);
  const packed = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: megabytes }, () => packed);
  return {
    name,
    content: '',
    packed: Buffer.concat([...pieces, deflateRawSync(Buffer.alloc(0))]),
    crc: pieces.reduce((crc) => crc32(piece, crc), 0),
    size: megabytes * piece.length,
  };
};

/** A zip archive, well-formed unless a part or the count says otherwise. */
export const zipOf = (parts: ForgedPart[], { count = parts.length }: { count?: number } = {}): Buffer => {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = part.packed ?? deflateRawSync(content, { level: 1 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(part.flags ?? 0, 2);
    common.writeUInt16LE(part.method ?? 8, 4);
    common.writeUInt32LE(part.crc ?? crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(part.size ?? content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(part.name), 22);
    const local = Buffer.from(common);
    local.writeUInt32LE(part.localSize ?? part.size ?? content.length, 18);
    const localName = Buffer.from(part.localName ?? part.name);
    local.writeUInt16LE(localName.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(part.offset ?? offset, 10);
    centrals.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, Buffer.from(part.name));
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), local, localName, packed);
    offset += 4 + local.length + localName.length + packed.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
};

const schemaNamespace = 'http://schemas.openxmlformats.org';
const office = `${schemaNamespace}/officeDocument/2006/relationships`;
/** What an XLSX workbook's own elements are declared with; a real reader refuses those without. */
export const xlsxNamespaces = `xmlns="${schemaNamespace}/spreadsheetml/2006/main" xmlns:r="${office}"`;
export const relationNamespace = `xmlns="${schemaNamespace}/package/2006/relationships"`;
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const contentTypes = (types: [part: string, type: string][]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="${schemaNamespace}/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `${types
    .map(([part, type]) => `<Override PartName="/xl/${part}.xml" ContentType="${contentType}.${type}+xml"/>`)
    .join('')}</Types>`;
const relations = (...targets: [string, string][]) =>
  `<Relationships ${relationNamespace}>${targets
    .map(([type, target], at) => `<Relationship Id="r${at}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** The parts of a small workbook, given the XML of its first sheet's rows. */
export function workbookParts(
  rows: string,
  {
    strings = '',
    styles = '',
    workbookPr = '',
    sheetName = 'One',
  }: { strings?: string; styles?: string; workbookPr?: string; sheetName?: string } = {},
): ForgedPart[] {
  return [
    {
      name: '[Content_Types].xml',
      content: contentTypes([
        ['workbook', 'sheet.main'],
        ['worksheets/sheet1', 'worksheet'],
        ['sharedStrings', 'sharedStrings'],
        ['styles', 'styles'],
      ]),
    },
    { name: '_rels/.rels', content: relations(['officeDocument', 'xl/workbook.xml']) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${xlsxNamespaces}>${workbookPr}<sheets><sheet name="${sheetName}" sheetId="1" r:id="r0"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['sharedStrings', '/xl/sharedStrings.xml'],
        ['styles', 'styles.xml'],
      ),
    },
    { name: 'xl/sharedStrings.xml', content: `<sst ${xlsxNamespaces}>${strings}</sst>` },
    { name: 'xl/styles.xml', content: `<styleSheet ${xlsxNamespaces}>${styles}</styleSheet>` },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<?xml version="1.0" encoding="UTF-8"?><worksheet ${xlsxNamespaces}><sheetData>${rows}</sheetData></worksheet>`,
    },
  ];
}

/** The parts with one of them changed. */
export const forged = (parts: ForgedPart[], name: string, change: Partial<ForgedPart>): ForgedPart[] =>
  parts.map((part) => (part.name === name ? { ...part, ...change } : part));
