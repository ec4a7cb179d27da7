const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Index into `cellXfs`, for the title row. */
export const boldStyle = 1;

/** Sheets have the default type of .xml: their number is not known yet when this part is written. */
export const contentTypes =
  `${declaration}<Types xmlns="${packageNamespace}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Default Extension="xml" ContentType="${contentType}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`;

const relationships = (relations: [type: string, target: string][]) =>
  `${declaration}<Relationships xmlns="${packageNamespace}/relationships">${relations
    .map(
      ([type, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${officeNamespace}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

export const packageRelations = relationships([['officeDocument', 'xl/workbook.xml']]);

export const workbookRelations = (sheetCount: number) =>
  relationships([
    ...Array.from({ length: sheetCount }, (_, at): [string, string] => [
      'worksheet',
      `worksheets/sheet${at + 1}.xml`,
    ]),
    ['styles', 'styles.xml'],
  ]);

const sheetTag = (name: string, at: number) =>
  `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`;
const printTitles = (name: string, at: number) =>
  `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">'${name}'!$1:$1</definedName>`;

/** The names must not contain characters that have a meaning in XML or in a formula. */
export const workbook = (sheetNames: readonly string[]) =>
  `${declaration}<workbook xmlns="${spreadsheetNamespace}" xmlns:r="${officeNamespace}"><bookViews><workbookView/></bookViews>` +
  `<sheets>${sheetNames.map(sheetTag).join('')}</sheets>` +
  `<definedNames>${sheetNames.map(printTitles).join('')}</definedNames></workbook>`;

export const styles =
  `${declaration}<styleSheet xmlns="${spreadsheetNamespace}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** Begins a sheet: printed as wide as the page, with a frozen title row and columns of the given widths. */
export const sheetStart = (widths: readonly number[], isFirst: boolean) =>
  `${declaration}<worksheet xmlns="${spreadsheetNamespace}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>` +
  `<sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '<selection pane="bottomLeft"/></sheetView></sheetViews>' +
  `<cols>${widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`;

/** Ends a sheet. Phone numbers are text on purpose, so Excel must not mark each of them as an error. */
export const sheetEnd = (lastCell: string) =>
  `</sheetData><pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/><ignoredErrors><ignoredError sqref="A1:${lastCell}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
