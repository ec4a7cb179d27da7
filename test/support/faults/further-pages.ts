import { firstDirectoryPage } from '../../../shared/contacts/directory-page.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { type Item, keys, seqsPerPage } from '../../../shared/platform/table/keys.ts';
import { FaultProcess } from './fault-process.ts';
import type { World } from './world.ts';

/**
 * As if as many contacts had been added as the page holds, and the others were deleted: the next
 * contact begins a page.
 */
const filled = (dataSourceId: string, page: Item | undefined): Item => ({
  ...firstDirectoryPage(dataSourceId),
  ...page,
  next: seqsPerPage,
});

/** The first page of every directory is full, also that of the do-not-call list. */
export const fillFirstPages = async (world: World): Promise<void> => {
  const idOf = ({ pk }: Item) => pk.slice(keys.dataSource('').pk.length);
  const pages = world.items.filter(({ sk }) => sk === keys.directoryPage('', 0).sk);
  const known = new Map(pages.map((page) => [idOf(page), page]));
  const ids = new Set([doNotCall.id, ...known.keys()]);
  await world.database.putAll([...ids].map((id) => filled(id, known.get(id))));
};

/** Contacts that are added here go on in a second page of their directories. */
export class LargeListsProcess extends FaultProcess {
  readonly #world: World;

  constructor(world: World, line: ConstructorParameters<typeof FaultProcess>[1]) {
    super(world, line);
    this.#world = world;
  }

  override async aDataSource(fields: Record<string, unknown> = {}) {
    const made = await super.aDataSource(fields);
    const database = this.#world.database;
    await database.put(filled(made.id, await database.get(keys.directoryPage(made.id, 0))));
    return made;
  }
}
