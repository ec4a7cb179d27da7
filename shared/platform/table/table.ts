/** The definition of the table, from which the stack, local mode and the tests create it. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /**
   * Sparse: it has task contacts in line or with a final outcome, and running tasks. Its attributes
   * tell whether a task contact is leased.
   */
  index: {
    name: 'gsi1',
    partitionKey: 'gsi1pk',
    sortKey: 'gsi1sk',
    attributes: ['state', 'until', 'v'],
  },
  /** Epoch seconds after which DynamoDB may remove the item. */
  timeToLive: 'ttl',
} as const;

export const createTableInput = (tableName: string) => {
  const { partitionKey, sortKey, index } = tableDefinition;
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: [partitionKey, sortKey, index.partitionKey, index.sortKey].map((name) => ({
      AttributeName: name,
      AttributeType: 'S' as const,
    })),
    KeySchema: keys(partitionKey, sortKey),
    GlobalSecondaryIndexes: [
      {
        IndexName: index.name,
        KeySchema: keys(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...index.attributes] },
      },
    ],
  };
};
