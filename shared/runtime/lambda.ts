import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { setUpTable as setUpGrant } from '../api/access.ts';
import type { Using } from '../api/route.ts';
import { withStoredAnswers } from '../http/repeatable.ts';
import { log } from '../observability/log.ts';
import { readEnvironment, serviceSettings } from '../settings/environment.ts';
import {
  assertFormat,
  Database,
  documentClient,
  OtherDataFormat,
  setUpTable,
  type TableClient,
} from '../store/table/index.ts';
import { type LambdaHandler, onFirstEvent } from './first-event.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export type { Runtime } from './runtime.ts';

/**
 * Sends nothing before the table is known to hold data of this version's format. Checked once a process.
 * @param mayFormat whether it may record the format of a new table
 */
export const onceChecked = (client: TableClient, table: string, mayFormat = false): TableClient => {
  let checked: Promise<void> | undefined;
  const check = async () => {
    try {
      const database = new Database(client, table);
      if (mayFormat) await setUpTable(database);
      await assertFormat(database);
    } catch (error) {
      // The next call checks again: a throttled check must not fail every later call.
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
  new Database(onceChecked(documentClient(), name, table.includes(setUpGrant)), name);

/** A function on the table, as AWS calls it. */
export const onLambda = <F extends LambdaHandler>(
  { access }: Using<'table'>,
  create: (runtime: Runtime) => F,
): F =>
  onFirstEvent(() => {
    const env = readEnvironment(access);
    const runtime = createRuntime(serviceSettings(env), openDatabase(env.TABLE_NAME, access));
    return withStoredAnswers(create(runtime), runtime.storedAnswers);
  });
