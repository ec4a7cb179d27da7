import type { DynamoDBRecord } from 'aws-lambda';
import { expect, it } from 'vitest';
import { appendEvents } from '../../../functions/events/append-events.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { engines } from '../../support/engines/engines.ts';
import { listingRuntime } from '../../support/service/event-service.ts';

/** As the table's stream tells that a task was deleted. */
const deletionOf = (id: string): DynamoDBRecord => {
  const { pk, sk } = keys.task(id);
  const image = { pk: { S: pk }, sk: { S: sk }, id: { S: id }, status: { N: '0' } };
  return { dynamodb: { SequenceNumber: id, ApproximateCreationDateTime: 1_777_888_800, OldImage: image } };
};

it('fails when the list cannot be written, so that the batch is sent again, and lists it once then', async () => {
  const { database, close } = await engines[0]!.open();
  const runtime = listingRuntime(database);
  const { eventList } = runtime;
  const listed = async () => {
    const { events } = await eventList.read(undefined, () => true, 500, Date.now());
    return events.map(({ id }) => id);
  };
  const Records = Array.from({ length: 150 }, (_, i) => deletionOf(`task${i}`));
  const put = database.put.bind(database);
  let puts = 0;
  database.put = async (...given) => {
    if (++puts > 2) throw new Error('the table is down');
    await put(...given);
  };
  // Its two pages are written, and are not named.
  await expect(appendEvents(runtime)({ Records })).rejects.toThrow('the table is down');
  expect(await listed()).toEqual([]);
  database.put = put;
  await appendEvents(runtime)({ Records });
  const ids = Records.map(({ dynamodb }) => `${dynamodb?.SequenceNumber}-deleted`);
  // The answer got lost, so Lambda sends the batch once more.
  await appendEvents(runtime)({ Records });
  expect(await listed()).toEqual(ids);
  await close();
});
