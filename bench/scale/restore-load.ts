import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { copyTable } from '../../shared/app/copy-table.ts';
import { setUpTable } from '../../shared/platform/table/data-format.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { createTableInput } from '../../shared/platform/table/table.ts';
import { seedItems } from '../../test/support/engines/seed-contacts.ts';
import { openWorld, type World } from './world.ts';

/** Copied in the simulation. Enough that each segment has some pages. */
const contacts = 40_000;

/** The minutes of `npm run restore` for a million contacts, computed from those of fewer. */
export const minutesOfRestore = async (): Promise<number> => {
  const world = await openWorld();
  try {
    await seed(world);
    const copy = { from: world.tableName, to: restored, replaces: true };
    await world.time.run(() => copyTable(world.table.client, copy));
    return (world.time.now / 60_000) * (1_000_000 / contacts);
  } finally {
    await world.close();
  }
};

const restored = 'restored';

const seed = async ({ direct, directClient, newId }: World): Promise<void> => {
  await setUpTable(direct);
  await direct.putAll([...seedItems(newId(), contacts)]);
  await directClient.send(new CreateTableCommand(createTableInput(restored)));
  await setUpTable(new Database(directClient, restored));
};
