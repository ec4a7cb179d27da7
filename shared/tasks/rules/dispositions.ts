import { invalid } from '../../platform/rules/errors.ts';
import type { TaskSettings } from './task-settings.ts';

type Declaring = Pick<TaskSettings, 'dispositions'>;
type Declared = NonNullable<Declaring['dispositions']>[number];

/**
 * The declared disposition of this code.
 * @returns undefined if the task declares none
 * @throws ServiceError invalid if the task declares others
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

/** The code under which calls with undeclared dispositions are counted. */
const undeclared = '';

/**
 * The code under which a call with this disposition is counted.
 * @returns null without a disposition
 */
export const countedUnder = (task: Declaring, code: string | null): string | null => {
  if (code === null) return null;
  return codesOf(task).includes(code) ? code : undeclared;
};

/** An undeclared disposition was made up in the call, and may name the person. */
export const isPersonal = (task: Declaring, code: string): boolean => !codesOf(task).includes(code);

/** Calls by declared code, and all others together. `counts`: by the counted code. */
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

/** Whether a disposition asks that the number is not called for a while. */
export const hasRests = ({ dispositions = [] }: Declaring): boolean =>
  dispositions.some(({ restHours = 0 }) => restHours > 0);
