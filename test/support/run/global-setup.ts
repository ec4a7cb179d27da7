import '../../../scripts/generate.mjs';
import type { TestProject } from 'vitest/node';
import { type DynamoDbLocal, startDynamoDbLocal } from '../engines/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where DynamoDB Local answers; null where it does not run. */
    dynamoDbLocal: string | null;
  }
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];

/** `DYNAMODB_LOCAL=off` leaves AWS's engine out, `required` fails the run without it. */
const localEngine = async (wish: string | undefined): Promise<DynamoDbLocal | undefined> => {
  if (wish === 'off') return undefined;
  try {
    return await startDynamoDbLocal();
  } catch (error) {
    if (wish === 'required') throw error;
    console.log(`DynamoDB Local left out, tests run on the embedded engine only: ${firstLine(error)}`);
    return undefined;
  }
};

export const setup = async (project: TestProject) => {
  const local = await localEngine(process.env.DYNAMODB_LOCAL);
  project.provide('dynamoDbLocal', local?.endpoint ?? null);
  return () => local?.stop();
};
