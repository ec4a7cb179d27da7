import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { log } from '../observability/log.ts';
import { neededSetting } from '../settings/environment.ts';
import { assertFormat, Database, documentClient, OtherDataFormat } from '../store/table/index.ts';

type Client = Pick<DynamoDBDocumentClient, 'send'>;

/** Sends nothing before the table is known to hold data of this version's format; asked once a process. */
export const onceChecked = (client: Client, table: string): Client => {
  let checked: Promise<void> | undefined;
  const check = async () => {
    try {
      await assertFormat(new Database(client, table));
    } catch (error) {
      // Asked again with the next call: a throttled look must not end all that come after it.
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

/** What the environment of a deployed function names. */
export const lambdaDatabase = () => {
  const table = neededSetting('TABLE_NAME');
  return new Database(onceChecked(documentClient(), table), table);
};
