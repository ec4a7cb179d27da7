import { embeddedClient } from '../../../local/dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from '../../../local/dynamodb/embedded-dynamodb.ts';
import { Database } from '../../../shared/platform/table/index.ts';

/**
 * Writes transactions until it is killed, and prints the number of each one that was acknowledged:
 * two new items with index entries and a counter. Arguments: folder, first number.
 */
const [path = '', first = '0'] = process.argv.slice(2);
const client = embeddedClient(await openEmbeddedDynamoDb({ path }));
const database = new Database(client, 'durable');

let next = Number(first);
const writer = async () => {
  for (;;) {
    const number = next++;
    const half = (side: string) =>
      database.putOf({ pk: `${side}-${number}`, sk: 'S', gsi1pk: side, gsi1sk: `${number}` });
    const count = database.updateOf(
      { pk: 'count', sk: 'S' },
      { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } },
    );
    await database.transact([half('left'), half('right'), count]);
    // A pipe takes it at once: what is printed outlives the process.
    process.stdout.write(`${number}\n`);
  }
};
await Promise.all(Array.from({ length: 8 }, writer));
