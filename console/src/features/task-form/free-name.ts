import { nameAtMost } from '../../../../shared/platform/rules/names.ts';

type Found = { total: number; rows: readonly { taskName: string }[] };

/** The name, or the name with a number if a task has it. `found`: the tasks whose names contain the name. */
export const freeName = (name: string, { total, rows }: Found = { total: 0, rows: [] }): string => {
  const taken = new Set(rows.map(({ taskName }) => taskName));
  // Room for a space and a number of four digits.
  const stem = [...name].slice(0, nameAtMost - 5).join('');
  const numbered = (number: number) => (number === 1 ? name : `${stem} ${number}`);
  // Some tasks may be on further pages: a number above their count is most likely free.
  let number = total > rows.length ? total + 1 : 1;
  while (taken.has(numbered(number))) number++;
  return numbered(number);
};
