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
import { standingNames } from '../rules/task-contact-views.ts';
import { blockReasons, waitReasons } from '../rules/waits.ts';

/** How a contact stands in a task, and its calls. */
export const standing = {
  outcome: { type: 'string', enum: standingNames, examples: ['waiting'] },
  attempts: { ...count, description: 'Calls since the last recall, or since the first call', examples: [1] },
  nextCallTime: described(
    like(optionalTimestamp, '2026-05-01 11:01:12'),
    'When the contact can be called, if nothing changes until then. Null where it can be called now, is in a call, settled, on an exclusion list or not selected, its hours never open before callUntil, or the task is neither RUNNING nor PAUSED. For a PAUSED task: as if it were RUNNING',
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
  holds: {
    type: 'array',
    description:
      'Every rule that holds the contact back now, the one that ends last at the end; until is null where no end is known. Empty for one that can be called now, or is not to be called',
    items: exactly({
      reason: { type: 'string', enum: waitReasons, examples: ['RETRY'] },
      until: like(optionalTimestamp, '2026-05-01 11:01:12'),
    }),
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
