import { describe, expect, it } from 'vitest';
import {
  assertAllowed,
  hasEnded,
  type Operation,
  statusAfter,
  type TaskStatus,
} from '../../../../shared/tasks/rules/task-states.ts';

const states: TaskStatus[] = [0, 1, 2, 3, 4, 5, 6];

/**
 * Where each operation leads from states 0 to 6; null: not allowed. Copied from the decisions, not
 * from the code.
 */
const table: Record<Operation, (TaskStatus | null)[]> = {
  update: [0, null, null, null, null, null, null],
  adjust: [0, 1, 2, null, null, null, null],
  publish: [1, null, null, null, null, null, null],
  pause: [null, 2, null, null, null, null, null],
  resume: [null, null, 1, null, null, null, null],
  stop: [null, 3, 3, null, null, null, null],
  recall: [null, 1, 2, null, 1, 1, null],
  complete: [null, 4, null, null, null, null, null],
  fail: [null, 5, 5, null, null, null, null],
  close: [null, null, null, 6, 6, 6, null],
};

describe.each(Object.entries(table) as [Operation, (TaskStatus | null)[]][])('%s', (operation, outcomes) => {
  it.each(states)('from state %i', (state) => {
    const outcome = outcomes[state];
    if (outcome !== null) {
      expect(() => assertAllowed(operation, state)).not.toThrow();
      expect(statusAfter(operation, state)).toBe(outcome);
      return;
    }
    expect(() => assertAllowed(operation, state)).toThrow(
      expect.objectContaining({ code: 'notAllowed', message: expect.stringContaining(`(${state})`) }),
    );
  });
});

describe('a task', () => {
  it('has ended once stopped, completed, failed or closed', () => {
    expect(states.filter(hasEnded)).toEqual([3, 4, 5, 6]);
  });

  it('is told in words why an operation is refused', () => {
    expect(() => assertAllowed('stop', 0)).toThrow(
      'stop is not allowed: the task is DRAFT (0); stop is allowed in RUNNING (1), PAUSED (2)',
    );
  });
});
