import '../../../scripts/generate.mjs';
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../engines/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where DynamoDB Local answers; null where it does not run. */
    dynamoDbLocal: string | null;
  }
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];

/**
 * Of AWS's engine: `off` leaves it out of `npm run test:all`, `required` fails the run without it.
 */
const wish = process.env.DYNAMODB_LOCAL;

const localEngine = async () => {
  try {
    return await startDynamoDbLocal();
  } catch (error) {
    if (wish === 'required') throw error;
    console.log(`DynamoDB Local left out, tests run on the embedded engine only: ${firstLine(error)}`);
    return undefined;
  }
};

export const setup = async (project: TestProject) => {
  const local = project.config.env.TEST_EXTENT === 'all' && wish !== 'off' ? await localEngine() : undefined;
  project.provide('dynamoDbLocal', local?.endpoint ?? null);
  return () => local?.stop();
};
