import {
  callId,
  count,
  dataSourceId,
  dataSourceName,
  described,
  exactly,
  like,
  optionalTimestamp,
  seconds,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { outcome } from '../../tasks/routes/tasks.ts';
import { callReasons } from '../../tasks/rules/task-settings.ts';
import { waitReasons } from '../rules/call-decisions.ts';
import { blockReasons } from '../rules/task-contact.ts';
import { standingNames } from '../rules/task-contact-views.ts';

/** How a contact stands in a task, and its calls. */
export const standing = {
  outcome: { type: 'string', enum: standingNames, examples: ['waiting'] },
  attempts: { ...count, description: 'Calls since the last recall, or since the first call', examples: [1] },
  nextCallTime: described(
    like(optionalTimestamp, '2026-05-01 11:01:12'),
    'When the contact could be called next, by the hours, the daily limit, callUntil, its retry and its callback. In the past: it could have been called since then. Null where it is in a call or settled, on an exclusion list, not selected by the filter, or the task is neither RUNNING nor PAUSED or ends before; and where it was never called and can be called now. For a PAUSED task: as if it were RUNNING',
  ),
  waitReason: {
    type: ['string', 'null'],
    enum: [...waitReasons, null],
    examples: ['RETRY'],
    description:
      'What the contact waits for until nextCallTime; of several reasons the one that ends last. HOURS: of the task, of the service, by the clock of the contact. RETRY: also after a recall, a release or an expired lease. Null where there is no nextCallTime',
  },
  blockReason: {
    type: ['string', 'null'],
    enum: [...blockReasons, null],
    examples: [null],
    description:
      'Why the contact is blocked. LIST: its number was on an exclusion list when its turn came. EMERGENCY: its number calls for help. Null unless it is blocked',
  },
  blockedBy: {
    type: 'array',
    items: titled('BlockingList', {
      ...exactly({ dataSourceId, dataSourceName }),
      description: 'An exclusion list that has the number of the contact',
    }),
    examples: [[]],
    description:
      'The exclusion lists of the task that have the number of a blocked contact now. Empty where none has it any more, and for a contact that is not blocked',
  },
  calls: {
    type: 'array',
    description: 'At most the last 20, oldest first',
    items: titled(
      'ContactCall',
      exactly({
        callId,
        time: like(timestamp, '2026-05-01 10:01:12'),
        outcome: like(outcome, 'noAnswer'),
        reason: { type: ['string', 'null'], enum: [...callReasons, null], examples: ['busy'] },
        duration: like(seconds, 0),
      }),
    ),
  },
} as const;
