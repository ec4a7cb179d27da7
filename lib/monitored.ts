import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StackSettings } from './settings.ts';

/** What is watched. */
export type Watched = {
  settings: StackSettings;
  api: RestApi;
  /** By id. */
  functions: ReadonlyMap<string, LambdaFunction>;
  table: Table;
  deadLetters: Queue;
};

export const period = Duration.minutes(5);
