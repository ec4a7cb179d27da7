import type { TestProject } from 'vitest/node';

/**
 * Of a run with mutated code: the embedded engine alone, and nothing is generated from the mutated
 * code.
 */
export const setup = (project: TestProject) => project.provide('dynamoDbLocal', null);
