import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Using } from '../api/route.ts';
import { withStoredAnswers } from '../http/repeatable.ts';
import { log } from '../observability/log.ts';
import { readEnvironment, serviceSettings } from '../settings/environment.ts';
import {
  assertFormat,
  Database,
  documentClient,
  OtherDataFormat,
  type TableClient,
} from '../store/table/index.ts';
import { type LambdaHandler, onFirstEvent } from './first-event.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export type { Runtime } from './runtime.ts';

/** Sends nothing before the table is known to hold data of this version's format. Checked once a process. */
export const onceChecked = (client: TableClient, table: string): TableClient => {
  let checked: Promise<void> | undefined;
  const check = async () => {
    try {
      await assertFormat(new Database(client, table));
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

export const openDatabase = (table: string) => new Database(onceChecked(documentClient(), table), table);

/** A function on the table, as AWS calls it. */
export const onLambda = <F extends LambdaHandler>(
  { access }: Using<'table'>,
  create: (runtime: Runtime) => F,
): F =>
  onFirstEvent(() => {
    const env = readEnvironment(access);
    const runtime = createRuntime(serviceSettings(env), openDatabase(env.TABLE_NAME));
    return withStoredAnswers(create(runtime), runtime.storedAnswers);
  });
