import { type Hostile, hostile } from './hostile.ts';
import {
  bomb,
  type ForgedPart,
  forged,
  relationNamespace,
  workbookParts,
  xlsxNamespaces,
  zipOf,
} from './workbook-zip.ts';

const MB = 1024 * 1024;
const sheetPart = 'xl/worksheets/sheet1.xml';
const worksheetTag = `<worksheet ${xlsxNamespaces}>`;
const titles = '<row r="1"><c r="A1" t="inlineStr"><is><t>phoneNumber</t></is></c></row>';
const honestRows = `${titles}<row r="2"><c r="A2"><v>13800138000</v></c></row>`;
/** What a real reader opens; each of the others is this one but for its one fault. */
export const honest = workbookParts(honestRows);

const sheet = (xml: string) => zipOf(forged(honest, sheetPart, { content: xml }));
const rows = (xml: string) => zipOf(workbookParts(xml));
const added = (...parts: ForgedPart[]) => zipOf([...honest, ...parts]);

/** That many sheets, each of the part that `partOf` says. */
const sheets = (count: number, partOf: (at: number) => number) => {
  const upTo = Array.from({ length: count }, (_, at) => at);
  const named = upTo.map((at) => `<sheet name="${at}" sheetId="${at + 1}" r:id="s${partOf(at)}"/>`).join('');
  const targets = upTo.map((at) => `<Relationship Id="s${at}" Type="t/worksheet" Target="s${at}.xml"/>`);
  const parts = forged(honest, 'xl/workbook.xml', {
    content: `<workbook ${xlsxNamespaces}><sheets>${named}</sheets></workbook>`,
  });
  const content = `${worksheetTag}<sheetData>${honestRows}</sheetData></worksheet>`;
  return zipOf([
    ...forged(parts, 'xl/_rels/workbook.xml.rels', {
      content: `<Relationships ${relationNamespace}>${targets.join('')}</Relationships>`,
    }),
    ...upTo.map((at) => ({ name: `xl/s${at}.xml`, content })),
  ]);
};

export const hostileArchives = (): Hostile[] => {
  const whole = zipOf(honest);
  // The second part lies inside the first, header and all, and both are true to their check sums.
  const inner: ForgedPart = { name: 'inner.xml', content: '<x/>', offset: 30 + 'outer.bin'.length };
  const content = zipOf([inner]).subarray(0, 60);
  const outer: ForgedPart = { name: 'outer.bin', content, packed: content, method: 0 };
  const space = 0x20;
  return hostile({
    tooLarge: {
      'zip bomb that says its size': added(bomb('xl/media/a.bin', 80)),
      'zip bomb in two parts': added(bomb('a.xml', 40, space), bomb('b.xml', 40, space)),
      'size forged to 4 GB': zipOf(forged(honest, sheetPart, { size: 0xfffffff0 })),
      'size forged to zip64': zipOf(forged(honest, sheetPart, { size: 0xffffffff })),
    },
    invalid: {
      'zip bomb with a small forged size': zipOf(
        forged(honest, sheetPart, { packed: bomb(sheetPart, 90).packed, size: 1000 }),
      ),
      'size forged to more than there is': zipOf(forged(honest, sheetPart, { size: 60 * MB })),
      'local header with another size': zipOf(forged(honest, sheetPart, { localSize: 7 })),
      'local header with another name': zipOf(forged(honest, sheetPart, { localName: 'xl/other.xml' })),
      'wrong check sum': zipOf(forged(honest, sheetPart, { crc: 1 })),
      'parts that overlap': zipOf([outer, inner, ...honest]),
      'part beyond the end': zipOf(forged(honest, sheetPart, { offset: 0x7fffffff })),
      'two parts of one name': added({ name: sheetPart, content: '<worksheet/>' }),
      'two parts whose names differ in case': added({ name: sheetPart.toUpperCase(), content: '' }),
      'unknown packing': zipOf(forged(honest, sheetPart, { method: 12 })),
      'garbage instead of packed bytes': zipOf(
        forged(honest, sheetPart, { packed: Buffer.alloc(500, 0xff) }),
      ),
      'encrypted part': zipOf(forged(honest, sheetPart, { flags: 1 })),
      'directory that counts too few': zipOf([...honest, inner], { count: honest.length }),
      '60,000 parts': added(
        ...Array.from({ length: 60_000 }, (_, at) => ({
          name: `${at}`,
          content: '',
          packed: Buffer.alloc(0),
          method: 0,
        })),
      ),
      'truncated zip': whole.subarray(0, whole.length - 40),
      'zip cut in its first part': whole.subarray(0, 60),
      'nested zip': zipOf([{ name: 'contacts.xlsx', content: whole }]),
      'empty zip': zipOf([]),
    },
  });
};

export const hostileSheets = (): Hostile[] => {
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
  const strings = (content: string) => zipOf(workbookParts(honestRows, { strings: content }));
  const wide = Array.from({ length: 16_384 }, (_, at) => `<c t="str"><v>title ${at}</v></c>`).join('');
  const longText = `<si><t>${'x'.repeat(32_767)}</t></si>`;
  const sharing = `<row>${'<c t="s"><v>0</v></c>'.repeat(200)}</row>`.repeat(10_000);
  const noText = `<si><t>phoneNumber</t></si><si>${'<r/>'.repeat(4 * MB)}</si>`;
  const phoneAnd = (row: string) => `<row><c t="s"><v>0</v></c></row>${row}`;
  return hostile({
    invalid: {
      'billion laughs': sheet(`${laughs}${worksheetTag}&b;</worksheet>`),
      'external entity': sheet(`<!DOCTYPE s SYSTEM "file:///etc/passwd">${worksheetTag}</worksheet>`),
      'document type in a part not read': added({ name: 'docProps/app.xml', content: '<!DOCTYPE x><x/>' }),
      'document type hidden in UTF-16': zipOf(
        forged(honest, sheetPart, { content: Buffer.from(`\ufeff${laughs}<worksheet/>`, 'utf16le') }),
      ),
      'unknown entity': rows('<row r="1"><c r="A1" t="str"><v>&phone;</v></c></row>'),
      'cell at XFD1048576': rows(`${titles}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`),
      '16,384 columns': rows(`<row r="1">${wide}</row>`),
      'rows that run backwards': rows(`${titles}<row r="1"><c r="A1"><v>1</v></c></row>`),
      'cell of 32,768 characters': rows(`${titles}<row><c t="str"><v>${'x'.repeat(32_768)}</v></c></row>`),
      'text that takes long to read, shared by many cells': zipOf(
        workbookParts(
          phoneAnd(`<row><c t="s"><v>0</v></c>${'<c t="s"><v>1</v></c>'.repeat(190)}</row>`.repeat(10_001)),
          { strings: noText },
        ),
      ),
      'a text that does not exist': rows('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'),
      'three million attributes in one tag': rows(`${titles}<row r="2" ${'a="" '.repeat(3_000_000)}/>`),
      'a text of 40 MB in a cell': rows(`${titles}<row><c t="str"><v>${'x'.repeat(40 * MB)}</v></c></row>`),
      'two hundred thousand tags in one cell': rows(
        `${titles}<row><c t="inlineStr"><is>${'<r/>'.repeat(300_000)}</is></c></row>`,
      ),
      'XML that ends in a tag': sheet(`${worksheetTag}<sheetData><row r="1"><c r="A1"`),
      'XML that ends behind a row': sheet(`${worksheetTag}<sheetData>${honestRows}`),
      'two sheets that are one part': sheets(2, () => 0),
      '256 sheets': sheets(256, (at) => at),
      'XML that ends in a comment': sheet(`${worksheetTag}<sheetData>${'<!--'.repeat(MB)}`),
      'half a character': rows('<row><c t="str"><v>phoneNumber&#xD800;</v></c></row>'),
      'workbook without a sheet': zipOf(
        forged(honest, 'xl/workbook.xml', { content: `<workbook ${xlsxNamespaces}/>` }),
      ),
      'sheet that is missing': zipOf(honest.filter(({ name }) => name !== sheetPart)),
      '__proto__ as the only title': rows('<row><c t="str"><v>__proto__</v></c></row>'),
    },
    tooLarge: {
      'row number beyond any sheet': rows(`${titles}<row r="99999999999"><c><v>1</v></c></row>`),
      '10,001 rows': rows(titles + '<row><c><v>13800138000</v></c></row>'.repeat(10_001)),
      'one long text shared by two million cells': zipOf(
        workbookParts(titles + sharing, { strings: longText }),
      ),
      'three million shared texts': strings('<si><t>ab</t></si>'.repeat(3 * MB)),
      'three million attributes in many tags': rows(
        titles +
          `<row${' a=""'.repeat(30)}><c t="str"${' b=""'.repeat(120)}><v>1</v></c></row>`.repeat(20_000),
      ),
      'sixteen million empty cells': rows(`<row>${'<c/>'.repeat(15 * MB)}</row>`),
    },
    nothing: {
      'a comment of 40 MB in a sheet': rows(`${titles}<!--${'-'.repeat(40 * MB)}-->`),
      'a million rows without a cell': rows(titles + '<row/>'.repeat(MB - 2)),
      'a title alone': rows(titles),
    },
  });
};

/** Small files whose reading takes the square of their size, unless each part is looked at once. */
export const slowWorkbooks = (): Hostile[] => {
  const untitled = '<row><c t="str"><v>no phone number</v></c></row>';
  const formats = `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(MB)}"/></numFmts>`;
  const brackets = `${formats}<cellXfs>${'<xf numFmtId="200"/>'.repeat(50_000)}</cellXfs>`;
  const many = Array.from({ length: 60_000 }, (_, at) => at);
  const relations = many.map((at) => `<Relationship Id="x${at}" Type="t/none" Target="t"/>`).join('');
  const sheets = many.map((at) => `<sheet r:id="y${at}"/>`).join('');
  const crowded = [
    {
      name: 'xl/workbook.xml',
      change: { content: `<workbook ${xlsxNamespaces}><sheets>${sheets}</sheets></workbook>` },
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      change: { content: `<Relationships ${relationNamespace}>${relations}</Relationships>` },
    },
  ].reduce((parts, { name, change }) => forged(parts, name, change), honest);
  const nested = `${'<si>'.repeat(200_000)}<t>x</t>${'</si>'.repeat(200_000)}`;
  const cells = many.slice(0, 9_000).map((at) => `<row><c t="s"><v>${at}</v></c></row>`);
  return hostile({
    invalid: {
      'a million digits that are no number': rows(`<row><c><v>${'1'.repeat(MB)}x</v></c></row>`),
      'a number format of brackets': zipOf(workbookParts(untitled, { styles: brackets })),
      '60,000 sheets and as many relations': zipOf(crowded),
      'texts within texts': zipOf(workbookParts(titles + cells.join(''), { strings: nested })),
    },
  });
};
