import { expect, it } from 'vitest';
import {
  allowedFrom,
  operations,
  statusAfter,
  statusNames,
  type TaskStatus,
} from '../../shared/tasks/rules/task-states.ts';
import { blocksOf, textOf } from '../support/docs/pages.ts';

const nameOf = (status: TaskStatus) => statusNames[status]?.toUpperCase() ?? '';

it('the picture of the states of a task shows every move that the code allows, and no other', () => {
  const picture = blocksOf('docs/concepts.md').at(-1)?.text ?? '';
  const drawn = [...picture.matchAll(/^ *([A-Z]+) --> ([A-Z]+): (\w+)/gm)].map(
    ([, from, to, by]) => `${from} ${by} ${to}`,
  );
  const allowed = operations.flatMap((operation) =>
    allowedFrom(operation)
      .filter((from) => statusAfter(operation, from) !== from)
      .map((from) => `${nameOf(from)} ${operation} ${nameOf(statusAfter(operation, from))}`),
  );
  expect(drawn.toSorted()).toEqual(allowed.toSorted());
  const numbers = statusNames.map((name, number) => `${number} ${name.toUpperCase()}`).join(', ');
  expect(textOf('docs/concepts.md')).toContain(numbers);
});
