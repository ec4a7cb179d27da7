import { dayMs, type Instant } from '../time.ts';

/** How long stored answers and table backups are kept. Files expire before: uploads after 30 days, exports after one. */
const answerDays = 1;
const backupDays = 35;

/** When the last copy that expires by itself is gone: a backup of the last stored answer. */
export const lastCopyExpires = (now: Instant): Instant => now + (answerDays + backupDays) * dayMs;
