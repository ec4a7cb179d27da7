import { type CfnResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
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

/** The table and the bucket. */
export class Storage extends Construct {
  readonly table: Table;
  readonly indexArn: string;
  readonly bucket: Bucket;

  /** @param consoleOrigin the origin from which the console uploads files */
  constructor(scope: Construct, id: string, settings: StackSettings, consoleOrigin: string) {
    super(scope, id);
    this.table = this.#table(settings);
    this.indexArn = `${this.table.tableArn}/index/${tableDefinition.index.name}`;
    this.bucket = this.#bucket(settings, consoleOrigin);
  }

  #table({ disposable }: StackSettings): Table {
    const { partitionKey, sortKey, index, timeToLive } = tableDefinition;
    const table = new Table(this, 'Table', {
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: timeToLive,
      // Domain events are made from the stream, so only what was written is published.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      deletionProtection: !disposable,
      removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...index.attributes],
    });
    return table;
  }

  /**
   * Not versioned: files are here only on their way into or out of the table. They hold personal data and must be gone
   * when they expire.
   */
  #bucket({ disposable, corsOrigin }: StackSettings, consoleOrigin: string): Bucket {
    const allowedOrigins = [consoleOrigin, ...(corsOrigin === undefined ? [] : [corsOrigin])];
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      lifecycleRules: [
        { id: 'imports', prefix: 'imports/', expiration: importsKept },
        { id: 'uploads', prefix: 'uploads/', expiration: importsKept },
        { id: 'exports', prefix: 'exports/', expiration: exportsKept },
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: unfinishedUploadsKept },
      ],
      cors: [{ allowedOrigins, allowedMethods: [HttpMethods.PUT], allowedHeaders: ['*'] }],
      removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      autoDeleteObjects: disposable,
    });
    // Set as a property: CDK's `eventBridgeEnabled` would deploy a helper function.
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

  /** Without this, CDK's function that empties the bucket would leave its log group behind. */
  #logOfEmptying(): void {
    const log = new LogGroup(this, 'EmptyingLog', {
      retention: RetentionDays.ONE_WEEK,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const provider = Stack.of(this).node.findChild('Custom::S3AutoDeleteObjectsCustomResourceProvider');
    const handler = provider.node.findChild('Handler') as CfnResource;
    handler.addPropertyOverride('LoggingConfig', { LogGroup: log.logGroupName });
  }
}
