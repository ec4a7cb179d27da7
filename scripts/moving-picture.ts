import { inflateSync } from 'node:zlib';
import gifenc from 'gifenc';

type Pixels = { width: number; height: number; rgba: Uint8Array };

const headBytes = 8;
/** The least of three neighbours' differences from their plain prediction (PNG, filter 4). */
const paeth = (left: number, up: number, upLeft: number): number => {
  const [a, b, c] = [up - upLeft, left - upLeft, left + up - 2 * upLeft].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
};

/** Reads what Chromium writes: 8 bits a channel, with or without alpha, not interlaced. */
const pixelsOf = (png: Buffer): Pixels => {
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = headBytes; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const chunk = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') {
      [width, height] = [chunk.readUInt32BE(0), chunk.readUInt32BE(4)];
      channels = chunk[9] === 6 ? 4 : 3;
    }
    if (name === 'IDAT') data.push(chunk);
    at += length + 12;
  }
  const lines = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const rgba = new Uint8Array(width * height * 4).fill(255);
  let previous = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const begin = y * (stride + 1);
    const filter = lines[begin];
    const line = new Uint8Array(lines.subarray(begin + 1, begin + 1 + stride));
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : line[i - channels]!;
      const up = previous[i]!;
      const upLeft = i < channels ? 0 : previous[i - channels]!;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter!]!;
      line[i] = line[i]! + predicted;
    }
    for (let x = 0; x < width; x++) {
      const from = x * channels;
      rgba.set(line.subarray(from, from + 3), (y * width + x) * 4);
    }
    previous = line;
  }
  return { width, height, rgba };
};

/** One entry of the 256 means: as in the picture before. */
const colorsAtMost = 255;
const keepPrevious = 1;

/** An animated GIF of screenshots. @param delays in milliseconds, one for each */
export const movingPicture = (pngs: readonly Buffer[], delays: readonly number[]): Uint8Array => {
  const pictures = pngs.map(pixelsOf);
  const { width, height } = pictures[0]!;
  // The first and the last picture together have the colours of all.
  const samples = [pictures[0]!, pictures.at(-1)!].map(({ rgba }) => Buffer.from(rgba));
  const palette = gifenc.quantize(new Uint8Array(Buffer.concat(samples)), colorsAtMost);
  const transparentIndex = palette.length;
  palette.push([0, 0, 0]);
  const encoder = gifenc.GIFEncoder();
  let previous: Uint8Array | undefined;
  for (const [at, { rgba }] of pictures.entries()) {
    const indices = gifenc.applyPalette(rgba, palette.slice(0, transparentIndex));
    const shown = indices.map((index, i) => (previous?.[i] === index ? transparentIndex : index));
    const first = previous === undefined ? { palette } : {};
    encoder.writeFrame(shown, width, height, {
      ...first,
      delay: delays[at]!,
      transparent: previous !== undefined,
      transparentIndex,
      dispose: keepPrevious,
    });
    previous = indices;
  }
  encoder.finish();
  return encoder.bytes();
};
