import { type Database, type TransactItem, TransactionRefused } from './database.ts';

/**
 * One transaction of named steps. Answers the names of the steps whose condition did not hold: none
 * when everything was written. @throws TransactionRefused for any other reason
 */
export const transactNamed = async <Name extends string>(
  database: Database,
  steps: Record<Name, TransactItem>,
): Promise<ReadonlySet<Name>> => {
  const names = Object.keys(steps) as Name[];
  try {
    await database.transact(Object.values(steps));
    return new Set();
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    const failed = names.filter((_, i) => error.refusals[i] === 'ConditionalCheckFailed');
    if (failed.length === 0) throw error;
    return new Set(failed);
  }
};
