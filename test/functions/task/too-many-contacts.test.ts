import { describe, it } from 'vitest';
import { directoryPages } from '../../support/engines/seed-contacts.ts';
import { expectError, useApi } from '../../support/service/api.ts';

describe('more contacts than one answer can cover', () => {
  const api = useApi();

  /** Only its directory has them: an answer that reads contacts would find none. */
  const aListOf = async (count: number) => {
    const id = String((await api.aDataSource()).id);
    await api.database.putAll([...directoryPages(id, count)]);
    return id;
  };

  it('are refused by a pre-flight, which names the way round', async () => {
    const dataSourceId = await aListOf(4_000_001);
    const answer = await api.post('/api/task/preflight', { taskName: 'large', dataSourceId });
    expectError(answer, 413, /4000001 contacts.* split the list/);
  });

  it('are refused by an export, which names the way round', async () => {
    const id = await aListOf(1_200_001);
    const answer = await api.get(`/api/dataSource/${id}/contact/batchExport?format=csv`);
    expectError(answer, 413, /1200001 contacts.* page by page/);
  });
});
