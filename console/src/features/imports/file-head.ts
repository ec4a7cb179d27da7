import { maxFileBytes } from '../../../../shared/platform/rules/index.ts';

/** Of a CSV file, so much is read in the browser: enough to recognise its columns. */
const headBytes = 512 * 1024;
const headLines = 5000;
const newLine = 0x0a;

/** What of a file is sent to be previewed. `isPart`: the file has more rows. */
type FileHead = { file: File; isPart: boolean };

const readUpTo = async (stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> => {
  const reader = stream.getReader();
  const read = new Uint8Array(most);
  let length = 0;
  while (length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    const taken = value.subarray(0, most - length);
    read.set(taken, length);
    length += taken.length;
  }
  await reader.cancel();
  return read.subarray(0, length);
};

/** Where the lines end that are read, or the last whole line of them. UTF-16 has another byte behind the line break. */
const endOfLines = (bytes: Uint8Array): number => {
  const [first, second] = bytes;
  const behind = first === 0xff && second === 0xfe ? 2 : 1;
  let end = 0;
  let lines = 0;
  for (let at = bytes.indexOf(newLine); at >= 0 && lines < headLines; at = bytes.indexOf(newLine, at + 1)) {
    end = at + behind;
    lines++;
  }
  return end === 0 ? bytes.length : end;
};

/** The beginning of a CSV file, packed or not; a workbook as a whole. `undefined`: a workbook too large to be sent. */
export const headOf = async (file: File, formLimit = maxFileBytes): Promise<FileHead | undefined> => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isWorkbook = (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf);
  if (isWorkbook) return file.size > formLimit ? undefined : { file, isPart: false };
  const isPacked = first === 0x1f && second === 0x8b;
  const text = isPacked ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const bytes = await readUpTo(text as ReadableStream<Uint8Array>, headBytes);
  const end = endOfLines(bytes);
  // What follows the last line break is a line too.
  const isWhole = bytes.length < headBytes && bytes.indexOf(newLine, end) < 0;
  if (isWhole && !isPacked) return { file, isPart: false };
  const head = isWhole ? bytes : bytes.slice(0, end);
  return { file: new File([head as BlobPart], file.name.replace(/\.gz$/i, '')), isPart: true };
};
