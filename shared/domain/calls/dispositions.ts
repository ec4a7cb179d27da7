import { invalid } from '../errors.ts';
import type { TaskSettings } from '../tasks/task-settings.ts';

type Declaring = Pick<TaskSettings, 'dispositions'>;
type Declared = NonNullable<Declaring['dispositions']>[number];

/**
 * The declared disposition of that code; nothing where the task declares none. @throws ServiceError invalid when the task
 * declares others
 */
export const declaredDisposition = (
  { dispositions = [] }: Declaring,
  code: string | null,
): Declared | undefined => {
  if (code === null || dispositions.length === 0) return undefined;
  const declared = dispositions.find((each) => each.code === code);
  if (declared === undefined)
    throw invalid(
      'disposition',
      `the task declares other codes: ${dispositions.map((each) => each.code).join(', ')}`,
      'NOT_A_CHOICE',
    );
  return declared;
};

const codesOf = ({ dispositions = [] }: Declaring): string[] => dispositions.map(({ code }) => code);

/** What calls with dispositions that are not declared are counted under. */
const undeclared = '';

/** What a call with this disposition is counted under; `null` without one. */
export const countedUnder = (task: Declaring, code: string | null): string | null => {
  if (code === null) return null;
  return codesOf(task).includes(code) ? code : undeclared;
};

/** A disposition that the task does not declare was made up in the call, and may name the person. */
export const isPersonal = (task: Declaring, code: string): boolean => !codesOf(task).includes(code);

/** Calls by declared code, and all others together. `counts`: by what the calls were counted under. */
export const callsByDisposition = (
  task: Declaring,
  counts: ReadonlyMap<string, number>,
): Record<string, number> => {
  const codes = codesOf(task);
  const others = [...counts].filter(([code]) => !codes.includes(code));
  return Object.fromEntries([
    ['other', others.reduce((sum, [, count]) => sum + count, 0)],
    ...codes.map((code) => [code, counts.get(code) ?? 0]),
  ]);
};

/** @throws ServiceError invalid */
export const checkDispositions = ({ dispositions = [] }: Declaring): void => {
  const codes = dispositions.map(({ code }) => code);
  const repeated = codes.find((code, i) => codes.indexOf(code) !== i);
  if (repeated !== undefined)
    throw invalid('dispositions', `the code ${repeated} is declared twice`, 'DUPLICATE');
};
