/** Letters that may be wrong in a name, for it to be a near miss: one in five, and at least one. */
const lettersWrong = (name: string) => Math.max(1, Math.floor(name.length / 5));

const inWords = (name: string, between: string) =>
  name.replace(/[A-Z]/g, (letter) => `${between}${letter.toLowerCase()}`);

/**
 * The name as people misspell it: in another case, with signs, as a plural, and with as many wrong
 * letters as a near miss may have.
 */
export const misspellings = (name: string): string[] => {
  const at = Math.floor(name.length / 2);
  const [before, letter, after] = [name.slice(0, at), name[at] ?? '', name.slice(at + 1)];
  const swapped = [...name].findIndex((each, i) => i > 0 && each !== name[i - 1]);
  const most = lettersWrong(name);
  const all = [
    name.toUpperCase(),
    inWords(name, '_'),
    inWords(name, '-'),
    inWords(name, ' '),
    `_${name}`,
    name.endsWith('s') ? name.slice(0, -1) : `${name}s`,
    before + after,
    `${before}q${letter}${after}`,
    `${before}#${after}`,
    name.slice(0, swapped - 1) + name[swapped] + name[swapped - 1] + name.slice(swapped + 1),
    name.slice(0, at) + name.slice(at + most),
    `${name}${'q'.repeat(most)}`,
  ];
  return [...new Set(all)].filter((each) => each !== name);
};

/** A name with one wrong letter more than a near miss has. */
export const farFrom = (name: string): string => `${name}${'q'.repeat(lettersWrong(name) + 1)}`;
