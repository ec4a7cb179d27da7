import { conflict } from '../../domain/errors.ts';
import type { ContactImport, ImportCounts, Reservation } from '../../domain/imports/contact-import.ts';
import type { Update } from '../table/index.ts';

/** What a runner writes into the record of its import, each on the condition that it still has it. */

export const takenOver = () => conflict('the import is run by another runner');

const whileHeld = (found: ContactImport, { ConditionExpression: also, ...set }: Update): Update => ({
  ...set,
  ConditionExpression: ['runner = :runner AND #status = :running', also ?? []].flat().join(' AND '),
  ExpressionAttributeNames: { ...set.ExpressionAttributeNames, '#status': 'status' },
  ExpressionAttributeValues: {
    ...set.ExpressionAttributeValues,
    ':runner': found.runner,
    ':running': 'RUNNING',
  },
});

const setCounts = 'importCount = :imported, successCount = :succeeded, failCount = :failed';
const valuesOf = ({ importCount, successCount, failCount }: ImportCounts) => ({
  ':imported': importCount,
  ':succeeded': successCount,
  ':failed': failCount,
});

export const reserving = (found: ContactImport, reservation: Reservation, counts: ImportCounts): Update =>
  whileHeld(found, {
    UpdateExpression: `SET reservation = :reservation, ${setCounts}`,
    ConditionExpression: 'attribute_not_exists(reservation)',
    ExpressionAttributeValues: { ':reservation': reservation, ...valuesOf(counts) },
  });

export const proceeding = (found: ContactImport, counts: ImportCounts): Update =>
  whileHeld(found, { UpdateExpression: `SET ${setCounts}`, ExpressionAttributeValues: valuesOf(counts) });

/** From `now` on anybody may run it, and this run counts for none. */
export const givingBack = (found: ContactImport, now: number): Update =>
  whileHeld(found, {
    UpdateExpression: 'SET runUntil = :now, begun = :before',
    ConditionExpression: 'attribute_not_exists(reservation)',
    ExpressionAttributeValues: { ':now': now, ':before': found.begun - 1 },
  });

export const ending = (found: ContactImport, counts: ImportCounts, now: number): Update =>
  whileHeld(found, {
    UpdateExpression: `SET #status = :done, ${setCounts}, updateTime = :now REMOVE runUntil`,
    ExpressionAttributeValues: { ':done': 'DONE', ':now': now, ...valuesOf(counts) },
  });
