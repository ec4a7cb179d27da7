/** The parts of gifenc 1 that moving pictures use. It has no types. */
declare module 'gifenc' {
  type Palette = number[][];
  type FrameOptions = {
    palette?: Palette;
    delay: number;
    transparent?: boolean;
    transparentIndex?: number;
    dispose?: number;
  };
  const gifenc: {
    GIFEncoder(): {
      writeFrame(indices: Uint8Array, width: number, height: number, options: FrameOptions): void;
      finish(): void;
      bytes(): Uint8Array;
    };
    quantize(rgba: Uint8Array, maxColors: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  };
  export = gifenc;
}
