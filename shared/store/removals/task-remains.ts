import { readNextSeq } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { chunkOf, keys } from '../table/index.ts';
import { type IsTimeUp, removePartitions } from './remains.ts';

/** The sequence numbers that the data source has given out, also after it was deleted. */
const readEnd = async (database: Database, dataSourceId: string): Promise<number> => {
  const gone = await database.get(keys.goneDataSource(dataSourceId));
  return gone === undefined ? readNextSeq(database, dataSourceId) : Number(gone.end);
};

/** Removes what a deleted task has left in the table, in bounded steps that may be repeated. Answers whether nothing is left. */
export const removeTask = async (
  database: Database,
  { id, dataSourceId }: { id: string; dataSourceId: string },
  isTimeUp: IsTimeUp,
): Promise<boolean> => {
  const chunks = chunkOf(await readEnd(database, dataSourceId)) + 1;
  const contacts = Array.from({ length: chunks }, (_, chunk) => keys.taskContactPartition(id, chunk));
  const others = [keys.timeline(id), keys.intakes(id), keys.aheads(id), keys.taskPace(id), keys.task(id).pk];
  return removePartitions(database, [...contacts, ...others], isTimeUp);
};
