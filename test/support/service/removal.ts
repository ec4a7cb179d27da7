import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { doDueFileWork } from '../../../functions/events/do-due-file-work.ts';
import { withFiles } from '../../../shared/app/runtime/files.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import type { Objects } from '../../../shared/platform/objects/objects.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import type { Item } from '../../../shared/platform/table/keys.ts';
import type { Engine, OpenTable } from '../engines/engines.ts';

/** Everything in a table. */
export const itemsOf = async ({ sdk, tableName: TableName }: OpenTable): Promise<Item[]> => {
  const items: Item[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await sdk.send(new ScanCommand({ TableName, ExclusiveStartKey: from }));
    items.push(...((page.Items ?? []) as Item[]));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
};

/** An engine whose table a test looks into as a whole. */
export const watched = (engine: Pick<Engine, 'open'>) => {
  let table: OpenTable | undefined;
  return {
    open: async () => {
      table = await engine.open();
      return table;
    },
    items: () => itemsOf(table!),
    get table() {
      return table!;
    },
  };
};

/** Later than any function that was at work when something was deleted. */
export const quietSeconds = 601;

const noObjects = { removeAll: async () => true } as unknown as Objects;

type SweepOptions = { objects?: Objects; isTimeUp?: () => boolean; keepCallsDays?: number };

/** What the schedule does on AWS. */
export const sweepRemovals = async (
  { database }: Pick<OpenTable, 'database'>,
  now: () => number,
  { objects = noObjects, isTimeUp = () => false, keepCallsDays = 0 }: SweepOptions = {},
): Promise<void> => {
  const stores = createRuntime({ ...serviceSettings({}), keepCallsDays, now }, database);
  const runtime = withFiles(stores, { database, objects: async () => objects });
  await doDueFileWork(runtime)(undefined, { getRemainingTimeInMillis: () => (isTimeUp() ? 0 : 60_000) });
};
