/** A phone number as a whole number that no other phone number has: 15 digits and the mark fit into a double. */
const numberOf = (phoneNumber: string): number =>
  Number(phoneNumber.startsWith('+') ? `2${phoneNumber.slice(1)}` : `1${phoneNumber}`);

const firstSlots = 1024;
/** Other numbers in each process: no file can be made whose numbers all fall into one slot. */
const [low, high] = [0, 0].map(() => Math.floor(Math.random() * 2 ** 31) * 2 + 1) as [number, number];

const hashOf = (number: number): number => {
  const mixed = Math.imul(number | 0, low) ^ Math.imul(Math.floor(number / 2 ** 32), high);
  const again = Math.imul(mixed ^ (mixed >>> 16), low);
  return again ^ (again >>> 15);
};

/**
 * The first line of each phone number of a file. A million numbers take 24 MB: a table of plain numbers, at most half full,
 * in which a number is searched from the slot that it falls into.
 */
export class SeenPhones {
  #numbers = new Float64Array(firstSlots);
  #lines = new Uint32Array(firstSlots);
  #count = 0;

  /** The line of the first row with this phone number; `undefined` if this is the first, which is remembered. */
  firstLine(phoneNumber: string, line: number): number | undefined {
    const number = numberOf(phoneNumber);
    const slot = this.#slotOf(number);
    if (this.#numbers[slot] === number) return this.#lines[slot];
    this.#put(slot, number, line);
    if (++this.#count * 2 > this.#numbers.length) this.#grow();
    return undefined;
  }

  /** Where the number is, or the free slot for it. */
  #slotOf(number: number): number {
    const size = this.#numbers.length;
    let slot = hashOf(number) & (size - 1);
    while (this.#numbers[slot] !== 0 && this.#numbers[slot] !== number) slot = (slot + 1) & (size - 1);
    return slot;
  }

  #put(slot: number, number: number, line: number): void {
    this.#numbers[slot] = number;
    this.#lines[slot] = line;
  }

  #grow(): void {
    const [numbers, lines] = [this.#numbers, this.#lines];
    this.#numbers = new Float64Array(numbers.length * 2);
    this.#lines = new Uint32Array(numbers.length * 2);
    numbers.forEach((number, at) => {
      if (number !== 0) this.#put(this.#slotOf(number), number, lines[at]!);
    });
  }
}
