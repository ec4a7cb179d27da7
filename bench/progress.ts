const width = 30;
const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

/** Shows the progress of a run in one line. If the output is not a terminal, prints a line for each tenth. */
export class Progress {
  readonly #start = Date.now();
  readonly #total: number;
  #done = 0;
  #drawn = 0;

  /** `total`: the weight of all steps. */
  constructor(total: number) {
    this.#total = total;
  }

  step(name: string, weight = 1): void {
    this.#done = Math.min(this.#total, this.#done + weight);
    const share = this.#done / this.#total;
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
    const text = `[${bar}] ${Math.round(share * 100)} % ${seconds(Date.now() - this.#start)} ${name}`;
    if (process.stderr.isTTY)
      process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    else if (Math.floor(share * 10) > this.#drawn) process.stderr.write(`${text}\n`);
    this.#drawn = Math.floor(share * 10);
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }

  get elapsed(): string {
    return seconds(Date.now() - this.#start);
  }
}
