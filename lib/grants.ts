import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Trigger } from '../shared/app/event-functions.ts';
import type { Access, BucketAccess, TableAccess, TableAction } from '../shared/platform/api/route.ts';

/** ARNs of the resources that the functions share. */
export type Shared = { tableArn: string; indexArn: string; bucketArn: string };

const unique = <T>(values: Iterable<T>): T[] => [...new Set(values)];

/** The keys of each action, over all entries that name it. */
const keysByAction = (entries: readonly TableAccess[]): Map<TableAction, string[]> => {
  const actions = unique(entries.flatMap((entry) => entry.actions)).sort();
  return new Map(
    actions.map((action) => [
      action,
      unique(entries.filter((entry) => entry.actions.includes(action)).flatMap((entry) => entry.keys)).sort(),
    ]),
  );
};

const statement = (actions: string[], resource: string, keys: readonly string[]) =>
  new PolicyStatement({
    actions,
    resources: [resource],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });

/** One statement for each set of keys, because a single statement must allow all keys of a call. */
const tableStatements = (entries: readonly TableAccess[], resource: string): PolicyStatement[] => {
  const byKeys = new Map<string, { actions: string[]; keys: string[] }>();
  for (const [action, keys] of keysByAction(entries.filter(({ index }) => index !== 'only'))) {
    const same = byKeys.get(keys.join()) ?? { actions: [], keys };
    same.actions.push(`dynamodb:${action}`);
    byKeys.set(keys.join(), same);
  }
  return [...byKeys.values()].map(({ actions, keys }) => statement(actions, resource, keys));
};

/** Only queries use the index. DynamoDB writes it together with the table. */
const indexStatements = (entries: readonly TableAccess[], indexArn: string): PolicyStatement[] => {
  const indexed = entries.filter(({ index }) => index);
  const keys = unique(indexed.flatMap((entry) => entry.keys)).sort();
  return keys.length === 0 ? [] : [statement(['dynamodb:Query'], indexArn, keys)];
};

const bucketStatements = ({ actions, prefix }: BucketAccess, bucketArn: string): PolicyStatement[] => {
  const onObjects = actions.filter((action) => action !== 'ListBucket').map((action) => `s3:${action}`);
  const statements: PolicyStatement[] = [];
  if (onObjects.length > 0)
    statements.push(new PolicyStatement({ actions: onObjects, resources: [`${bucketArn}/${prefix}*`] }));
  if (actions.includes('ListBucket')) {
    // S3 checks this permission when an object is missing. Such a request may name no prefix.
    const conditions = { StringLikeIfExists: { 's3:prefix': `${prefix}*` } };
    statements.push(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucketArn], conditions }));
  }
  return statements;
};

/** Allows a function exactly what it declares for the table and the bucket. */
export const statementsFor = ({ table = [], bucket = [] }: Access, shared: Shared): PolicyStatement[] => [
  ...tableStatements(table, shared.tableArn),
  ...indexStatements(table, shared.indexArn),
  ...bucket.flatMap((entry) => bucketStatements(entry, shared.bucketArn)),
];

/**
 * For each request of a function, the service checks that the function may use the key of what it
 * reads or writes. A function with a trigger reads the table's stream or a queue, or sends events
 * that it could not handle to a queue.
 */
export const keyStatements = (
  { table, bucket, deliveryQueue }: Access,
  trigger: Trigger | undefined,
  key: IKey | undefined,
): PolicyStatement[] => {
  const services = [
    (table || trigger?.kind === 'tableStream') && 'dynamodb',
    bucket && 's3',
    (deliveryQueue || trigger) && 'sqs',
  ].filter(Boolean);
  if (key === undefined || services.length === 0) return [];
  return [
    new PolicyStatement({
      actions: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map(
        (action) => `kms:${action}`,
      ),
      resources: [key.keyArn],
      conditions: {
        StringEquals: {
          'kms:ViaService': services.map((service) => `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}`),
        },
      },
    }),
  ];
};
