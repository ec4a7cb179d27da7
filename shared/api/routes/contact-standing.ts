import { callReasons } from '../../domain/dialing/dialing.ts';
import { standingNames } from '../../domain/dialing/task-contact-views.ts';
import {
  count,
  described,
  exactly,
  optionalTimestamp,
  outcome,
  seconds,
  timestamp,
  titled,
} from '../schemas.ts';

/** How a contact stands in a task, and its calls. */
export const standing = {
  outcome: { type: 'string', enum: standingNames },
  attempts: { ...count, description: 'Calls since the last recall, or since the first call' },
  nextCallTime: described(optionalTimestamp, 'When the contact may be called next'),
  calls: {
    type: 'array',
    description: 'At most the last 20, oldest first',
    items: titled(
      'ContactCall',
      exactly({
        callId: { type: 'string' },
        time: timestamp,
        outcome,
        reason: { type: ['string', 'null'], enum: [...callReasons, null] },
        duration: seconds,
      }),
    ),
  },
} as const;
