const controls = /[\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name as a part of a sentence: whatever direction it is written in, the words after it keep theirs. */
export const named = (name: string): string => {
  const plain = name.replace(controls, '');
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
};
