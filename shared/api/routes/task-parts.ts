import { reasonCodes } from '../../domain/tasks/cause.ts';
import { count, exactly, id, name, rate, status, text, titled } from '../schemas.ts';

/** What the task routes share. */
export const taskTag = 'Tasks';

/** The answer to an operation that changes a task's state. */
export const taskMoved = titled('TaskChange', exactly({ id, status }));

/** Beside the text of a reason. */
export const cause = {
  reasonCode: {
    type: ['string', 'null'],
    enum: [...reasonCodes, null],
    description:
      'Why the service itself paused the task (TOO_MANY_FAILED, by pauseWhen) or stopped it (CALL_UNTIL_PASSED)',
  },
  figures: {
    type: ['object', 'null'],
    additionalProperties: { type: ['string', 'number'] },
    description:
      'With reasonCode: failed, calls and failedPercent of TOO_MANY_FAILED, callUntil and timeZone of CALL_UNTIL_PASSED',
  },
} as const;

export const taskSummary = {
  id,
  taskName: name,
  taskDesc: text,
  status,
  dataSourceId: id,
  contactCount: count,
} as const;

export const taskCalls = {
  callCount: count,
  successCount: count,
  failCount: count,
  noAnswerCount: count,
  dialRate: rate,
  successRate: rate,
} as const;
