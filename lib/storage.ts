import { type CfnResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ContributorInsightsMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { tableDefinition } from '../shared/platform/table/table.ts';
import { acceptFindings } from './accepted-findings.ts';
import type { StackSettings } from './settings/settings.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

const importsKept = Duration.days(30);
const exportsKept = Duration.days(1);
const unfinishedUploadsKept = Duration.days(1);
/** How long a versioned bucket keeps objects that were deleted or have expired. */
const deletedKept = Duration.days(1);

/** The key of the settings. Constructs of several scopes use it. */
export const customerKey = (
  scope: Construct,
  { kmsKeyArn }: Pick<StackSettings, 'kmsKeyArn'>,
): IKey | undefined =>
  kmsKeyArn === undefined ? undefined : Key.fromKeyArn(scope, 'CustomerKey', kmsKeyArn);

/** The table and the bucket. */
export class Storage extends Construct {
  readonly table: Table;
  readonly indexArn: string;
  readonly bucket: Bucket;
  /** Undefined: keys of AWS. */
  readonly key: IKey | undefined;

  /** @param consoleOrigin the origin from which the console uploads files */
  constructor(scope: Construct, id: string, settings: StackSettings, consoleOrigin: string) {
    super(scope, id);
    this.key = customerKey(this, settings);
    this.table = this.#table(settings);
    this.indexArn = `${this.table.tableArn}/index/${tableDefinition.index.name}`;
    this.bucket = this.#bucket(settings, consoleOrigin);
  }

  #table({ disposable }: StackSettings): Table {
    const { partitionKey, sortKey, index, timeToLive } = tableDefinition;
    // Shows which keys are throttled, not which are used. This costs little while none is.
    const throttledKeys = disposable
      ? {}
      : { contributorInsightsSpecification: { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS } };
    const table = new Table(this, 'Table', {
      ...throttledKeys,
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(this.key === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: timeToLive,
      // Domain events are made from the stream, so that only writes that were made are published.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      deletionProtection: !disposable,
      removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    table.addGlobalSecondaryIndex({
      ...throttledKeys,
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...index.attributes],
    });
    return table;
  }

  /**
   * Files are here only on their way into or out of the table. They have personal data and must be
   * deleted when they expire. So the bucket is versioned only if AWS Backup copies it, which it
   * does with versioned buckets only.
   */
  #bucket({ disposable, corsOrigin, copies }: StackSettings, consoleOrigin: string): Bucket {
    const allowedOrigins = [consoleOrigin, ...(corsOrigin === undefined ? [] : [corsOrigin])];
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      ...(this.key === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: this.key, bucketKeyEnabled: true }),
      ...(copies === undefined ? {} : { versioned: true }),
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      lifecycleRules: [
        { id: 'imports', prefix: 'imports/', expiration: importsKept },
        { id: 'uploads', prefix: 'uploads/', expiration: importsKept },
        { id: 'exports', prefix: 'exports/', expiration: exportsKept },
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: unfinishedUploadsKept },
        ...(copies === undefined
          ? []
          : [{ id: 'deleted', noncurrentVersionExpiration: deletedKept, expiredObjectDeleteMarker: true }]),
      ],
      cors: [{ allowedOrigins, allowedMethods: [HttpMethods.PUT], allowedHeaders: ['*'] }],
      removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      autoDeleteObjects: disposable,
    });
    // Set as a property, because CDK's `eventBridgeEnabled` would deploy a helper function.
    (bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };
    if (disposable) this.#logOfEmptying();
    acceptFindings(bucket, {
      'AwsSolutions-S1':
        'Only the functions and holders of a signed address reach the bucket; both are in the functions’ logs',
    });
    return bucket;
  }

  /** Otherwise CDK's function that empties the bucket would leave its log group behind. */
  #logOfEmptying(): void {
    const log = new LogGroup(this, 'EmptyingLog', {
      retention: RetentionDays.ONE_WEEK,
      removalPolicy: RemovalPolicy.DESTROY,
      ...(this.key && { encryptionKey: this.key }),
    });
    const provider = Stack.of(this).node.findChild('Custom::S3AutoDeleteObjectsCustomResourceProvider');
    const handler = provider.node.findChild('Handler') as CfnResource;
    handler.addPropertyOverride('LoggingConfig', { LogGroup: log.logGroupName });
  }
}
