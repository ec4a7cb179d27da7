import {
  count,
  dataSourceId,
  exactly,
  id,
  like,
  name,
  rate,
  status,
  titled,
} from '../../platform/api/index.ts';
import { text } from '../../platform/rules/index.ts';
import { reasonCodes } from '../rules/limits.ts';
import { outcomes } from '../rules/task-settings.ts';

/** What the task routes share. */
export const taskTag = 'Tasks';

export const outcome = { title: 'Outcome', type: 'string', enum: outcomes } as const;

/** The answer to an operation that changes a task's state. */
export const taskMoved = (to: number) => titled('TaskChange', exactly({ id, status: like(status, to) }));

/** Beside the text of a reason. */
export const cause = {
  reasonCode: {
    type: ['string', 'null'],
    enum: [...reasonCodes, null],
    description:
      'Why the service itself paused the task (TOO_MANY_FAILED, by pauseWhen) or stopped it (CALL_UNTIL_PASSED)',
    examples: [null],
  },
  figures: {
    type: ['object', 'null'],
    additionalProperties: { type: ['string', 'number'] },
    description:
      'With reasonCode: failed, calls and failedPercent of TOO_MANY_FAILED, callUntil and timeZone of CALL_UNTIL_PASSED',
    examples: [null],
  },
} as const;

export const taskSummary = {
  id,
  taskName: name,
  taskDesc: like(text, 'Customers whose plan ends in June'),
  status,
  dataSourceId,
  contactCount: like(count, 1000),
} as const;

export const taskCalls = {
  callCount: like(count, 350),
  successCount: like(count, 210),
  failCount: like(count, 40),
  noAnswerCount: like(count, 100),
  dialRate: like(rate, 0.35),
  successRate: like(rate, 0.6),
} as const;
