import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { type Item, keys, seqsPerPage } from '../../../shared/platform/table/keys.ts';
import { emptyPages } from '../engines/seed-contacts.ts';
import { FaultProcess } from './fault-process.ts';
import type { World } from './world.ts';

/** As if as many contacts had been added as the first page of the directory holds, and were deleted. */
const withSecondPage = (dataSourceId: string, first: Item | undefined): Item[] => {
  const [emptyFirst, second] = emptyPages(dataSourceId, seqsPerPage);
  return [{ ...emptyFirst, ...first, next: seqsPerPage } as Item, second as Item];
};

const firstPages = ({ items }: World) => items.filter(({ sk }) => sk === keys.directoryPage('', 0).sk);

/** Every data source of the world, and the do-not-call list, goes on in a second page of its directory. */
export const addSecondPages = async (world: World): Promise<void> => {
  const idOf = ({ pk }: Item) => pk.slice(keys.dataSource('').pk.length);
  const pages = new Map(firstPages(world).map((page) => [idOf(page), page]));
  const ids = new Set([doNotCall.id, ...pages.keys()]);
  await world.database.putAll([...ids].flatMap((id) => withSecondPage(id, pages.get(id))));
};

/** Data sources that are made here go on in a second page of their directories. */
export class LargeListsProcess extends FaultProcess {
  readonly #world: World;

  constructor(world: World, line: ConstructorParameters<typeof FaultProcess>[1]) {
    super(world, line);
    this.#world = world;
  }

  override async aDataSource(fields: Record<string, unknown> = {}) {
    const made = await super.aDataSource(fields);
    const database = this.#world.database;
    const first = await database.get(keys.directoryPage(made.id, 0));
    await database.putAll(withSecondPage(made.id, first));
    return made;
  }
}
