import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { setUpTable as mayFormatTable, type Using } from '../../platform/api/route.ts';
import { withStoredAnswers } from '../../platform/http/repeatable.ts';
import { log } from '../../platform/observability/log.ts';
import { readEnvironment, serviceSettings } from '../../platform/settings/settings.ts';
import { assertFormat, OtherDataFormat, setUpTable } from '../../platform/table/data-format.ts';
import { Database, documentClient, type TableClient } from '../../platform/table/database.ts';
import { type Base, createBase } from './base.ts';
import { type LambdaHandler, onFirstEvent } from './first-event.ts';

/**
 * Sends nothing before the table is known to hold data of this version's format. Checked once a
 * process.
 * @param mayFormat whether the function may record the format of a new table
 */
export const onceChecked = (client: TableClient, table: string, mayFormat = false): TableClient => {
  let checked: Promise<void> | undefined;
  const check = async () => {
    try {
      const database = new Database(client, table);
      if (mayFormat) await setUpTable(database);
      await assertFormat(database);
    } catch (error) {
      // The next call checks again, so that one throttled check does not fail every later call.
      checked = undefined;
      if (error instanceof OtherDataFormat) log.error(error.message);
      throw error;
    }
  };
  const send = async (...call: Parameters<DynamoDBDocumentClient['send']>) => {
    checked ??= check();
    await checked;
    return client.send(...call);
  };
  return { send: send as DynamoDBDocumentClient['send'] };
};

export const openDatabase = (name: string, { table }: Using<'table'>['access']) =>
  new Database(onceChecked(documentClient(), name, table.includes(mayFormatTable)), name);

/** A function on the table, as AWS calls it. `open` opens what it needs. */
export const onLambda = <R, F extends LambdaHandler>(
  { access }: Using<'table'>,
  open: (base: Base) => R,
  create: (runtime: R) => F,
): F =>
  onFirstEvent(() => {
    const env = readEnvironment(access);
    const base = createBase(serviceSettings(env), openDatabase(env.TABLE_NAME, access));
    return withStoredAnswers(create(open(base)), base.storedAnswers);
  });
