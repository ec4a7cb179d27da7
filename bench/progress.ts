/** Shows in one line what a run is doing. If the output is not a terminal, each step has a line. */
export class Progress {
  readonly #start = Date.now();

  step(name: string): void {
    const text = `${this.elapsed} ${name}`;
    const { isTTY, columns = 80 } = process.stderr;
    process.stderr.write(isTTY ? `\r\x1b[K${text.slice(0, columns - 1)}` : `${text}\n`);
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }

  get elapsed(): string {
    return `${Math.round((Date.now() - this.#start) / 1000)} s`;
  }
}
